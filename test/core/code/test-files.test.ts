import { expect, it } from "vitest";
import { isTestFile } from "../../../src/core/code/source-paths.ts";

it.each([
  "test/a.ts",
  "src/__tests__/a.ts",
  "src/a.test.ts",
  "src/a.spec.tsx",
  "pkg/store_test.go",
  "tests/test_store.py",
  "pkg/test_store.py",
  "conftest.py",
  "spec/store_spec.rb",
  "src/StoreTest.java",
  "Store/StoreTests.cs",
  "e2e/login.ts",
])("%s holds tests", (path) => {
  expect(isTestFile(path)).toBe(true);
});

it.each([
  "src/a.ts",
  "src/testing.ts",
  "src/contest.py",
  "src/latest/a.ts",
  "src/Contest.java",
  "src/spec.ts",
  "src/test.ts",
])("%s does not", (path) => {
  expect(isTestFile(path)).toBe(false);
});
