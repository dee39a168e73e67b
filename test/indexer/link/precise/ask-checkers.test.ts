/** What checkers are asked, what is kept of their answers, and what happens where they give none. Real programs, real checker. */
import { hash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PreciseDocument } from "../../../../indexer/languages/base/language.ts";
import { isCodeManifest } from "../../../../indexer/link/code/read-manifests.ts";
import { askCheckers } from "../../../../indexer/link/precise/ask-checkers.ts";
import { makeFolder, writeFiles } from "../../../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;
type Options = Partial<Parameters<typeof askCheckers>[1]>;

/** Asks about the sources among some files; those in `node_modules` and `away` are not indexed. */
async function ask(files: Files, options: Options = {}, dir?: string) {
  const folder = dir ?? (await makeFolder());
  await writeFiles(folder, files);
  const paths = Object.keys(files).sort();
  const sources = paths.filter((path) => /\.[jt]sx?$/.test(path) && !/node_modules|^away/.test(path));
  const asked = await askCheckers(
    sources.map((path) => {
      const text = files[path] as string;
      const language = path.endsWith("js") ? "javascript" : "typescript";
      return { id: `code:${path}`, place: path, language, hash: hash("sha1", text), bytes: text.length };
    }),
    {
      dir: folder,
      manifests: paths
        .filter((path) => isCodeManifest(path) && !path.includes("node_modules"))
        .map((path) => ({ collection: "code", path, text: files[path] as string })),
      cacheDir: undefined,
      version: "1",
      collection: "code",
      ...options,
    },
  );
  if (asked === undefined) throw new Error("there is no checker");
  return asked;
}

/** What stands at each place of a file, without where; `outside` is not shown. */
function usesOf(documents: readonly PreciseDocument[], path: string): string[] {
  const own = documents.find(({ id }) => id === `code:${path}`);
  return (own?.references ?? [])
    .filter(({ symbol }) => symbol !== "-")
    .map(
      ({ symbol, at, short }) => `${at.line}:${at.column} ${symbol.replace("code:", "")}${short ? ` ${short}` : ""}`,
    );
}

const STORE = "export interface Store {\n  open(): number;\n  name: string;\n}\n";
const USE = 'import type { Store } from "./store";\nexport const use = (make: () => Store) => make().open();\n';
const USES = ["1:15 store.ts#Store", "1:28 store.ts#", "2:33 store.ts#Store", "2:50 store.ts#Store.open"];

const codes = ({ diagnostics }: Awaited<ReturnType<typeof ask>>) => diagnostics.map(({ code }) => code);

describe("a checker", { timeout: 120_000 }, () => {
  it("says what names mean, both sides of short forms apart", async () => {
    const { documents, isIncomplete, diagnostics } = await ask({
      "store.ts": STORE,
      "use.ts": USE,
      "short.ts":
        'import type { Store } from "./store";\n' +
        "export const take = ({ name, open: start }: Store): Store => ({ name, open: start });\n" +
        'export const key = (store: Store) => store["name"];\n',
    });
    expect(usesOf(documents, "use.ts")).toEqual(USES);
    expect(usesOf(documents, "short.ts").slice(2)).toEqual([
      "2:24 store.ts#Store.name key",
      "2:30 store.ts#Store.open",
      "2:45 store.ts#Store",
      "2:53 store.ts#Store",
      "2:65 store.ts#Store.name key",
      "2:71 store.ts#Store.open",
      "3:28 store.ts#Store",
      "3:44 store.ts#Store.name",
    ]);
    expect([isIncomplete, diagnostics]).toEqual([false, []]);
  });

  it("answers where the program is wrong and nothing is installed", async () => {
    const asked = await ask({
      "store.ts": STORE,
      "use.ts": `${USE}import { gone } from "not-installed";\ngone(("text" as number).no.such);\nexport {\n`,
    });
    expect(usesOf(asked.documents, "use.ts")).toEqual(USES);
    expect(codes(asked)).toEqual([]);
  });

  it.each([
    ["is broken", { "tsconfig.json": '{ "compilerOptions": { "strict": tru' }],
    ["extends what is not there", { "tsconfig.json": '{ "extends": ["./gone.json", "@gone/base"] }' }],
    ["extends itself", { "tsconfig.json": '{ "extends": "./b.json" }', "b.json": '{ "extends": "./tsconfig.json" }' }],
    [
      "references itself",
      { "tsconfig.json": '{ "files": [], "references": [{ "path": "." }, { "path": "./gone" }] }' },
    ],
    ["has plugins", { "tsconfig.json": '{ "compilerOptions": { "plugins": [{ "name": "./away/plugin.js" }] } }' }],
  ])("answers where the configuration %s", async (_, more) => {
    const plugin = "throw new Error('code of the project ran');\n";
    const asked = await ask({ "store.ts": STORE, "use.ts": USE, "away/plugin.js": plugin, ...more });
    expect(usesOf(asked.documents, "use.ts")).toEqual(USES);
    expect(codes(asked)).toEqual([]);
  });

  it("reads no file that is not indexed because a configuration includes the world", async () => {
    const cacheDir = await makeFolder();
    const world = { "tsconfig.json": '{ "include": ["/**/*", "**/*"], "compilerOptions": { "types": [] } }' };
    const asked = await ask({ ...world, "store.ts": STORE, "use.ts": USE, "away/world.ts": STORE }, { cacheDir });
    expect(usesOf(asked.documents, "use.ts")).toEqual(USES);
    expect(String(await readFile(join(cacheDir, "precise.cache"), "latin1"))).not.toContain("world.ts");
  });

  it("takes the configuration that covers a file, of those that the nearest one references", async () => {
    const paths = (target: string) =>
      JSON.stringify({ compilerOptions: { paths: { "#store": [target] } }, include: ["app"] });
    const asked = await ask({
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      "tsconfig.app.json": paths("./lib/store.ts"),
      "lib/store.ts": STORE,
      "app/use.ts": USE.replace("./store", "#store"),
    });
    expect(usesOf(asked.documents, "app/use.ts").at(-1)).toBe("2:50 lib/store.ts#Store.open");
  });

  it("finds packages of a workspace that is not installed", async () => {
    const asked = await ask({
      "packages/store/package.json": '{ "name": "@shop/store", "exports": "./dist/index.js" }',
      "packages/store/src/index.ts": STORE,
      "packages/use/package.json": '{ "name": "@shop/use" }',
      "packages/use/use.ts": USE.replace("./store", "@shop/store"),
    });
    expect(usesOf(asked.documents, "packages/use/use.ts").at(-1)).toBe("2:50 packages/store/src/index.ts#Store.open");
  });

  it("keeps two versions of one library apart", async () => {
    const library = (version: number) => ({
      "package.json": `{ "name": "lib", "version": "${version}.0.0", "types": "index.d.ts" }`,
      "index.d.ts": 'export declare function lib(): import("../../made").Made;\n',
    });
    const inside = (folder: string, files: Files) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/node_modules/lib/${path}`, text]));
    const own = "export interface Made {\n  run(): void;\n}\n";
    const use = 'import { lib } from "lib";\nlib().run();\n';
    const { documents } = await ask({
      ...{ "a/made.ts": own, "a/use.ts": use, "b/made.ts": own, "b/use.ts": use },
      ...inside("a", library(1)),
      ...inside("b", library(2)),
    });
    expect(usesOf(documents, "a/use.ts")).toEqual(["2:7 a/made.ts#Made.run"]);
    expect(usesOf(documents, "b/use.ts")).toEqual(["2:7 b/made.ts#Made.run"]);
  });

  it("is asked nothing where there is too much", async () => {
    const asked = await ask({ "store.ts": STORE, "use.ts": USE }, { limits: { files: 1 } });
    expect([asked.documents, codes(asked), asked.isIncomplete]).toEqual([[], ["precise-limit"], false]);
  });
});

describe("a checker that fails", { timeout: 240_000 }, () => {
  it("at one file answers about the others, with one finding", async () => {
    // So many types in one another are more than the checker's own recursion gets through, and the parser does.
    const deep = `export const deep = (store: import("./store").Store) => store${".name.toString()".repeat(9_000)};\n`;
    const asked = await ask({ "store.ts": STORE, "use.ts": USE, "deep.ts": deep });
    expect(usesOf(asked.documents, "use.ts")).toEqual(USES);
    expect(codes(asked)).toEqual(["precise-incomplete"]);
    expect(asked.diagnostics[0]?.message).toContain("code:deep.ts");
  });

  it("for want of memory leaves what it answered, says so once, and is incomplete", async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => `  { id: ${n}, name: "row ${n}", next: { at: ${n} } },`);
    const large = `export const rows = [\n${rows.join("\n")}\n];\nexport const first = rows.map((row) => row.next.at);\n`;
    const asked = await ask({ "a/store.ts": STORE, "b/large.ts": large }, { limits: { heapMegabytes: 60 } });
    expect(codes(asked)).toEqual(["precise-incomplete"]);
    expect(asked.isIncomplete).toBe(true);
  });

  it("that does not come to an end is ended, and says so once", async () => {
    const slow =
      "type Join<A extends string, B extends string> = [A, B];\n" +
      "type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';\n" +
      "type Many<N extends unknown[]> = N['length'] extends 900 ? N : Many<[...N, Join<Digit, Digit>]>;\n" +
      "declare const many: Many<[]>;\n" +
      Array.from({ length: 400 }, (_, n) => `export const x${n} = (many as Many<[${n}]>)[${n}];`).join("\n");
    const asked = await ask({ "a.ts": STORE, "slow.ts": slow }, { limits: { stallMs: 1 } });
    expect(codes(asked)).toEqual(["precise-incomplete"]);
    expect(asked.isIncomplete).toBe(true);
  });
});

describe("facts that are kept", { timeout: 240_000 }, () => {
  const FILES = {
    "make.ts":
      "export function make() {\n  const kept = { size: 1, other: { size: 2 } };\n  return kept;\n}\nexport class Shop {\n  open(): void {}\n}\n",
    "pass.ts": 'import { make } from "./make";\nexport const pass = () => make();\n',
    "use.ts": 'import { pass } from "./pass";\nimport { Shop } from "./make";\npass().size;\nnew Shop().open();\n',
    "alone.ts": "export const alone = 1;\n",
  };

  it.each([
    ["a statement in a body", { "make.ts": FILES["make.ts"].replace("{\n  const", "{\n  void 1;\n\n  const") }],
    ["another type that a body gives", { "make.ts": FILES["make.ts"].replace("return kept", "return kept.other") }],
    [
      "a declaration before another of its name",
      { "make.ts": FILES["make.ts"].replace("  const", "  ({ size: 0 });\n  const") },
    ],
    ["another signature", { "make.ts": FILES["make.ts"].replace("open(): void", "open(now?: boolean): void") }],
    ["lines above", { "make.ts": `// One.\n// Two.\n${FILES["make.ts"]}` }],
    ["another type in between", { "pass.ts": FILES["pass.ts"].replace("make()", "make().other") }],
    [
      "what a file declares for all",
      { "alone.ts": "declare global {\n  interface Array<T> {\n    size: T;\n  }\n}\nexport {};\n" },
    ],
    ["a new file", { "new.ts": 'import { pass } from "./pass";\npass().size;\n' }],
  ])("are those of a checker that is asked anew, after %s", async (_, edit) => {
    const [dir, cacheDir] = [await makeFolder(), await makeFolder()];
    await ask(FILES, { cacheDir }, dir);
    const changed = { ...FILES, ...edit };
    const kept = await ask(changed, { cacheDir }, dir);
    expect(kept.documents).toEqual((await ask(changed, {}, dir)).documents);
    expect(usesOf(kept.documents, "use.ts")).toContain("4:12 make.ts#Shop.open");
  });

  it("of files that did not change are given at once where nothing is asked", async () => {
    const [dir, cacheDir] = [await makeFolder(), await makeFolder()];
    const isKnownOnly = true;
    const nothing = await ask(FILES, { cacheDir, isKnownOnly }, dir);
    expect([nothing.documents, nothing.isIncomplete, codes(nothing)]).toEqual([[], true, []]);
    await ask(FILES, { cacheDir }, dir);
    const changed = { ...FILES, "pass.ts": "export const pass = 1;\n", "new.ts": "export {};\n" };
    const known = await ask(changed, { cacheDir, isKnownOnly }, dir);
    expect(known.documents.map(({ id }) => id)).toEqual(["code:alone.ts", "code:make.ts", "code:use.ts"]);
    expect(known.isIncomplete).toBe(true);
    expect((await ask(FILES, { cacheDir, isKnownOnly }, dir)).isIncomplete).toBe(false);
  });

  it("are asked for again where they are damaged", async () => {
    const [dir, cacheDir] = [await makeFolder(), await makeFolder()];
    const whole = await ask(FILES, { cacheDir }, dir);
    const bytes = await readFile(join(cacheDir, "precise.cache"));
    await rm(join(cacheDir, "precise.cache"));
    await writeFiles(cacheDir, { "precise.cache": bytes.subarray(0, bytes.length / 2) });
    expect((await ask(FILES, { cacheDir }, dir)).documents).toEqual(whole.documents);
  });

  it("are kept as far as answers came, where asking is ended", async () => {
    const cacheDir = await makeFolder();
    const ended = await ask(FILES, { cacheDir, signal: AbortSignal.abort() });
    expect([ended.documents, ended.isIncomplete]).toEqual([[], true]);
  });
});
