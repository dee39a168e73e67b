import { describe, expect, it } from "vitest";
import { ROLES, roleOfPath } from "../../../src/core/docs/roles.ts";

const PATHS: Readonly<Record<(typeof ROLES)[number], readonly string[]>> = {
  production: [
    "src/store.ts",
    "pydantic/main.py",
    "cmd/gen/main.go",
    "src/net/external/client.py",
    "crates/core/src/lib.rs",
    "src/main/java/com/acme/Store.java",
    "django/testing/client.py",
    "src/integrations/mock/date.ts",
    "src/contest.ts",
    "src/latest.py",
    "docs/guide/examples/first.md",
    "docs/guide/test/context.md",
    "docs/commands/hugo_gen.md",
    "examples/README.md",
    "docs/guide/changing.md",
  ],
  test: [
    "tests/test_main.py",
    "pkg/conftest.py",
    "pkg/test_a.py",
    "store/store_test.go",
    "store/testdata/big.go",
    "src/test/java/com/acme/Any.java",
    "app/src/androidTest/kotlin/A.kt",
    "src/main/java/com/acme/StoreTest.java",
    "crates/core/tests/all.rs",
    "crates/core/src/tests.rs",
    "src/__tests__/a.tsx",
    "src/a.test.ts",
    "src/a_spec.rb",
    "fixtures/site/page.md",
    "test/README.md",
  ],
  example: [
    "examples/basic/main.rs",
    "benches/speed.rs",
    "docs_src/first/tutorial.py",
    "docs/plugins/main.py",
    "src/button.stories.tsx",
  ],
  generated: ["api/store.pb.go", "api/store_pb2.py", "gen/go/a.go", "src/__generated__/a.ts", "action/dist/index.js"],
  vendored: ["vendor/github.com/a/a.go", "node_modules/a/README.md", "third_party/a.c", "pip/_vendor/a.py", "deps/a.c"],
  history: ["CHANGELOG.md", "docs/release-notes/1.2.md", "HISTORY.rst", "docs/news-2024.md"],
  translation: ["i18n/fr/docusaurus-plugin-content-docs/current/a.md"],
};

describe("roles by path", () => {
  it.each(ROLES.flatMap((role) => PATHS[role].map((path) => [path, role] as const)))("%s: %s", (path, role) => {
    expect(roleOfPath(path)).toBe(role);
  });
});
