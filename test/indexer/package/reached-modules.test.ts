import { expect, it } from "vitest";
import { findReached } from "../../../indexer/package/write-package.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

it("follows imports, imports on demand, JSON files and files that modules name by their address, and names packages", async () => {
  const root = await makeFolder({
    "in/cli.ts": `import "node:fs"; import { a } from "./a.ts"; await import("../src/demand.ts"); console.log(a);`,
    "in/a.ts": `import type { T } from "./types-only.ts"; import s from "./s.json" with { type: "json" }; export const a: T = s;`,
    "in/types-only.ts": "export type T = object;",
    "in/s.json": "{}",
    "in/thread.ts": `import "@scope/pack/deep.js"; import "./started-too.ts";`,
    "in/started-too.ts": `export const url = [new URL("./cli.ts", import.meta.url), new URL("./text.toml", import.meta.url)];`,
    "in/text.toml": "",
    "in/unused.ts": `import "nobody";`,
    "src/demand.ts": `import "plain"; export const url = new URL(\n  "../in/thread.ts",\n  import.meta.url);`,
  });
  expect(await findReached(root, ["in/cli.ts"])).toEqual({
    files: ["in/a.ts", "in/cli.ts", "in/s.json", "in/started-too.ts", "in/text.toml", "in/thread.ts", "src/demand.ts"],
    packages: ["@scope/pack", "plain"],
  });
});
