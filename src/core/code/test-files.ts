/** Which files hold tests, by the customs of the languages that are read. */
import { CODE_LANGUAGES, factsOf } from "../text/code-languages.ts";

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|testdata|e2e)\//i;
/** Names with a part that says so, and what languages have besides. */
const TEST_NAMES = [
  "[^/]*[._-](?:test|spec|e2e)s?\\.[^/.]+",
  ...CODE_LANGUAGES.flatMap((language) => factsOf(language).testNames ?? []),
];
const TEST_NAME = new RegExp(`(?:^|/)(?:${TEST_NAMES.join("|")})$`);

/** Whether a path is that of a test. */
export function isTestFile(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}
