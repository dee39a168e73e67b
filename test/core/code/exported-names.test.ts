/** Other names of symbols, from source files to what a reader is told. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { incomingEdges } from "../../../src/core/code/edges.ts";
import { exportedNames, findSymbols } from "../../../src/core/code/find-symbols.ts";
import type { LoadedSymbol } from "../../../src/core/code/model.ts";
import { resolvePosition, resolveSymbol } from "../../../src/core/code/resolve-symbol.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { openFiles } from "../../support/build-index.ts";
import { readFolder, writeFiles } from "../../support/temporary-folder.ts";

const FILES = {
  "src/store.ts": `export class Store {}
function helper(): void {}
export { helper as help };
export default function fallback(): void {}
export class Box {}
`,
  "src/index.ts": `export { Store as Shop } from "./store";
import { helper2 as aid } from "./two";
import spare from "./store";
export { aid, spare };
export * from "./three";
export * as all from "./two";
`,
  "src/two.ts": "export function helper2(): void {}\n",
  "src/three.ts": "export const three = 3;\nexport class help {}\n",
  "src/use.ts": `import { Shop as S2 } from "./index";
import { Store as S3 } from "./store";
new S2();
new S3();
`,
  "lib/core.py": "class Thing:\n    pass\n",
  "lib/api.py": "from .core import Thing as Thing\nfrom .core import Thing as Other\n",
  "lib/old.js": "function work() {}\nexports.toil = work;\n",
};

let files: ReadonlyMap<string, Uint8Array>;
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "treeline-names-"));
  await writeFiles(join(dir, "code"), FILES);
  await buildCorpus({ dir: join(dir, "code"), outDir: join(dir, "index") });
  files = await readFolder(join(dir, "index"));
  await rm(dir, { recursive: true });
});
const openReader = async (): Promise<IndexReader> => (await openFiles(files, "all")).reader;

async function resolve(text: string): Promise<LoadedSymbol> {
  const found = await resolveSymbol(await openReader(), text);
  const [symbol] = found.symbols;
  if (symbol === undefined || found.total > 1) throw new Error(`${text}: ${JSON.stringify(found)}`);
  return symbol;
}

describe("a symbol that is exported under other names", () => {
  it.each([
    ["Shop", "code:src/store.ts#Store"],
    ["aid", "code:src/two.ts#helper2"],
    ["spare", "code:src/store.ts#fallback"],
    ["toil", "code:lib/old.js#work"],
  ])("is found by %s", async (name, id) => {
    const { symbols } = await findSymbols(await openReader(), { query: name, offset: 0, limit: 5 });
    expect(symbols.map((symbol) => symbol.id)).toContain(id);
    expect((await resolve(name)).id).toBe(id);
  });

  it("comes behind one that is called so itself", async () => {
    expect((await resolve("help")).id).toBe("code:src/three.ts#help");
  });

  it("has them listed, with the files that give them", async () => {
    const list = async (name: string) =>
      (await exportedNames(await openReader(), await resolve(name), 10)).map(
        (one) => `${one.name} ${one.file} ${one.at.line}:${one.at.column}`,
      );
    expect(await list("Store")).toEqual(["Shop code:src/index.ts 1:19"]);
    expect(await list("helper")).toEqual(["help code:src/store.ts 3:20"]);
    expect(await list("helper2")).toEqual(["aid code:src/index.ts 4:10", "all.helper2 code:src/index.ts 6:13"]);
    expect(await list("three")).toEqual(["three code:src/index.ts 5:15"]);
    expect(await list("work")).toEqual(["toil code:lib/old.js 2:9"]);
    expect(await list("Box")).toEqual([]);
  });
});

describe("an import under another name", () => {
  it("stands at the name that it takes, and both names lead to the symbol", async () => {
    const reader = await openReader();
    const { edges } = await incomingEdges(
      reader,
      [{ id: "code:src/store.ts#Store" }],
      { kinds: ["imports", "reexports"] },
      { offset: 0, limit: 10 },
    );
    const places = edges.map(({ file, at, form }) => `${file.record.id} ${at.line}:${at.column} ${form ?? ""}`);
    expect(places.sort()).toEqual(["code:src/index.ts 1:10 ", "code:src/use.ts 1:10 alias", "code:src/use.ts 2:10 "]);
    const at = async (documentId: string, line: number, column: number) =>
      (await resolvePosition(reader, { documentId, line, column }))?.id;
    expect(await at("code:src/use.ts", 2, 10)).toBe("code:src/store.ts#Store");
    expect(await at("code:src/use.ts", 2, 19)).toBe("code:src/store.ts#Store");
    expect(await at("code:src/use.ts", 3, 5)).toBe("code:src/store.ts#Store");
    expect(await at("code:lib/api.py", 1, 19)).toBe("code:lib/core.py#Thing");
    expect(await at("code:lib/api.py", 1, 28)).toBe("code:lib/core.py#Thing");
  });
});
