/** Which files hold tests, by the customs of the languages that are read. Pure. */

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|testdata|e2e)\//i;
/** `a.test.ts`, `a_spec.rb`, `a_test.go`, `test_a.py`, `conftest.py`, `StoreTest.java`, `StoreTests.cs`. */
const TEST_NAME =
  /(?:^|\/)(?:[^/]*[._-](?:test|spec|e2e)s?\.[^/.]+|test_[^/]*\.py|conftest\.py|[^/]*[a-z0-9]Tests?\.(?:java|kt|cs|php|swift|scala))$/;

/** Whether a path is that of a test. */
export function isTestFile(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}
