import { describe, expect, it } from "vitest";
import { serveFiles } from "../../support/serve-folder.ts";

const repeat = (count: number, pathOf: (at: number) => string, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [pathOf(at), text]));

const FILES = {
  "src/core/store.ts":
    "export class Store {}\nexport function open(): Store { return new Store(); }\nfunction own() {}\n",
  "src/core/a.test.ts": "export const t = 1;\n",
  "src/core/api/client.pb.go": "package api\n",
  "src/mcp/tools/read.ts": "export const readTool = 1;\n",
  "src/main.ts": "import './core/store.ts';\n",
  "docs/guide/install.md": "# Install on Linux | Guide\n\nWords.\n",
  "docs/guide/use.md": "# Use | Guide\n\nWords.\n",
  "docs/fr/guide/use.md": "# Usage\n\nMots.\n",
  "test/a.ts": "export const t = 2;\n",
  "test/b.ts": "export const t = 3;\n",
  "README.md": "# Read me\n",
};

describe("map", () => {
  const serve = async (files: Readonly<Record<string, string>> = FILES) => {
    const { ask } = await serveFiles(files);
    return async (given: object = {}) => (await ask("map", { format: "text", ...given })).text;
  };

  it("begins with where the index is from, and has two levels of folders with their roles", async () => {
    const map = await serve();
    expect((await map()).split("\n")).toEqual([
      "built just now, no commit",
      "src/ 3 +1 test +1 generated: core 1 +1 test +1 generated, mcp 1",
      "docs/ 2 +1 translation: guide 2, fr 1 translation",
      "test/ 2 test",
      ". 1",
    ]);
  });

  it("has the files of a folder with what they export or are about, found by its end, too", async () => {
    const map = await serve();
    const core = ["a.test.ts", "api/client.pb.go", "store.ts Store, open"];
    for (const path of ["src/core", "/src/core/", "core"])
      expect((await map({ path })).split("\n")).toEqual(["# src/core/ 1 +1 test +1 generated", ...core]);
    expect((await map({ path: "docs/guide" })).split("\n")).toEqual([
      ...["# docs/guide/ 2", "install.md Install on Linux", "use.md"],
    ]);
  });

  it("outlines a file, and names what may be meant by a wrong path", async () => {
    const map = await serve();
    expect(await map({ path: "store.ts" })).toBe(
      "## src/core/store.ts 3 lines\n1 class Store\n2 function open(): Store\n3 function own()",
    );
    expect(await map({ path: "src/croe" })).toBe(
      '# there is no folder or file "src/croe". Did you mean src/core, src?',
    );
  });

  it("stays short in a large tree, and says what it leaves out", async () => {
    const map = await serve({
      ...repeat(60, (at) => `packages/package-with-a-long-name-${at}/src/deep/a.ts`, "export const a = 1;\n"),
      ...repeat(60, (at) => `another-folder-${at}/a.md`, "# A\n"),
    });
    const text = await map();
    expect(text.length).toBeLessThan(1200);
    expect(text).toMatch(/^built just now, no commit\npackages\/ 60\n/);
    expect(text).toMatch(/\n… \d+ folders more: another-folder-/);
    expect((await map({ path: "packages" })).split("\n")).toHaveLength(61);
  });
});
