import { describe, expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const { ask, askJson } = await serveFiles({
  "treeline.config.json": JSON.stringify({
    collections: [
      { name: "docs", root: "docs" },
      { name: "code", root: ".", kind: "code" },
    ],
  }),
  "docs/index.md": "# Use\n\nSee [there](gone.md).\n",
  "tsconfig.json": '{ "extends": "./tsconfig.json" }\n',
  "src/a.ts": 'import { b } from "./b.ts";\nimport "lib/c";\n\nexport const a = b;\n',
});

describe("diagnostics", () => {
  it.each(["code:tsconfig.json", "tsconfig.json"])(
    "takes %s, a file that findings name and that is no document",
    async (file) => {
      const { diagnostics } = await askJson("diagnostics", { file });
      expect(diagnostics).toMatchObject([{ file: "code:tsconfig.json", rule: "tsconfig-cycle" }]);
    },
  );

  it("refuses files that there are not", async () => {
    const { isError, text } = await ask("diagnostics", { file: "jsconfig.json" });
    expect(isError).toBe(true);
    expect(text).toContain('There is no document "jsconfig.json".');
  });

  it("names columns where they are known, and lines alone where they are not", async () => {
    const { text } = await ask("diagnostics");
    expect(text).toContain("  @3 Warning - broken-link [treeline]");
    expect(text).toContain("  @1:10 Info - unresolved-import [treeline]");
    expect(text).toContain("  Warning - tsconfig-cycle [treeline]");
  });
});
