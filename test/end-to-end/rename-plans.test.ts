/** What plans say in languages without a compiler beside the tests, from source files on. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../indexer/index/build.ts";
import type { RenamePlan } from "../../src/core/code/rename-plan.ts";
import { resolveSymbol } from "../../src/core/code/resolve-symbol.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { planRename } from "../../src/mcp/plan-rename.ts";
import { openFiles } from "../support/build-index.ts";
import { readFolder, writeFiles } from "../support/temporary-folder.ts";

const FILES = {
  "go/go.mod": "module q\n\ngo 1.22\n",
  "go/w.go": `package q

type Writer interface {
	Put(x int, names ...string) error
	Close()
}

type Disk struct{}

func (d *Disk) Put(x int, names ...string) error { return nil }
func (d *Disk) Close()                           {}

type Other struct{}

func (o Other) Put(x int) {}

func Run(w Writer) { w.Put(1) }
`,
  "java/z/P.java": `package z;
import static z.P.stat;
import z.P.Inn;
public class P {
  static void stat() {}
  static class Inn {}
}
`,
  "java/z/Far.java": "package z;\nimport z.P.Inn;\nclass Far { Inn inn; }\n",
  "js/store.js": `class Store {}
/**
 * Store of {Store}.
 * @param {Map<string, Store>} stores
 * @returns {import("./x").Store | Store?}
 */
function pick(stores) {
  return stores.get("Store");
}
module.exports = { Store, pick };
`,
  "js/self.js": "exports.again = function () {\n  return exports.again;\n};\n",
  "js/far.js": "exports.Far = class Far {};\n",
  "js/near.js": '/** @typedef { import("./far.js").Far } Far */\n',
  "js/use.js": `const { Store: Shop } = require("./store");
/** @type {Store} */
const store = new Shop();
`,
  "ts/plugin.ts": `export interface Plugin {
  locate(): string;
}
declare function load<K>(key: K, plugin: unknown): void;
function locate(): string {
  return "";
}
load("a", { locate });
`,
  "php/a.php": `<?php
class A {
  public $name;
  private static $made = 0;
  function __construct(private int $size) { $this->name = $size; self::$made++; }
  function go($size) { return $this->size + $size; }
}
$a = new A(1);
$a->name = 2;
`,
};

let files: ReadonlyMap<string, Uint8Array>;
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "treeline-plans-"));
  await writeFiles(join(dir, "code"), FILES);
  await buildCorpus({ dir: join(dir, "code"), outDir: join(dir, "index") });
  files = await readFolder(join(dir, "index"));
  await rm(dir, { recursive: true });
});

async function plan(text: string, newName: string): Promise<RenamePlan> {
  const { reader, index } = await openFiles(files, "all");
  const found = await resolveSymbol(reader, text);
  const [symbol] = found.symbols;
  if (symbol === undefined || found.total > 1) throw new Error(`${text}: ${JSON.stringify(found)}`);
  return planRename(new IndexReader(index, "all"), symbol, newName);
}

/** `line:column` of the edits of a group. */
function places({ files: planned }: RenamePlan, group: "certain" | "likely"): string[] {
  return planned.flatMap((file) => file[group].map(({ at }) => `${at.line}:${at.column}`));
}

describe("a plan for a method in Go", () => {
  it("lists what may implement an interface, and says that it is not whole", async () => {
    const writer = await plan("Writer.Put", "Store");
    expect(places(writer, "certain")).toEqual(["4:2", "17:24"]);
    expect(places(writer, "likely")).toEqual(["10:16"]);
    expect(writer.gaps.join()).toContain("likely");
    const disk = await plan("Disk.Put", "Store");
    expect(places(disk, "certain")).toEqual(["10:16"]);
    expect(places(disk, "likely")).toEqual(["4:2"]);
    const other = await plan("Other.Put", "Store");
    expect([places(other, "likely"), other.gaps]).toEqual([[], []]);
  });
});

describe("a plan for a class in Java", () => {
  it("says that imports of what is in it are left", async () => {
    const renamed = await plan("java/z/P.java#P", "Q");
    expect(renamed.gaps.join()).toContain("import");
    expect(renamed.textOnly.places.filter(({ isOpen }) => isOpen).map(({ file, at }) => `${file} ${at.line}`)).toEqual([
      "code:java/z/P.java 2",
      "code:java/z/P.java 3",
      "code:java/z/Far.java 2",
    ]);
  });
});

describe("a plan for a property in PHP", () => {
  it("is certain of its declaration, behind the dollar sign", async () => {
    const name = await plan("php/a.php#A.name", "title");
    expect(places(name, "certain")).toEqual(["3:11", "5:52", "9:5"]);
    expect([places(name, "likely"), name.gaps]).toEqual([[], []]);
    const made = await plan("php/a.php#A.made", "count");
    expect([places(made, "certain"), made.gaps]).toEqual([["4:19", "5:73"], []]);
  });

  it("takes the parameter that declares it along, in the constructor", async () => {
    expect(places(await plan("php/a.php#A.size", "width"), "certain")).toEqual(["5:37", "5:60", "6:38"]);
  });
});

describe("a plan for a class in JavaScript", () => {
  it("changes what a comment imports, and leaves the name that it gets there", async () => {
    const far = await plan("js/far.js#Far", "Near");
    expect(far.gaps).toEqual([]);
    expect(places(far, "certain")).toContain("1:35");
  });

  it("says that a file takes it from its own exports", async () => {
    expect((await plan("js/self.js#again", "once")).gaps).toHaveLength(1);
  });

  it("changes it in types of doc comments, where it is known by its own name", async () => {
    const store = await plan("js/store.js#Store", "Shelf");
    const own = store.files.map(({ record, certain }) => [
      record.id,
      certain.map(({ at }) => `${at.line}:${at.column}`),
    ]);
    expect(own).toEqual([
      ["code:js/store.js", ["1:7", "4:24", "5:36", "10:20"]],
      ["code:js/use.js", ["1:9"]],
    ]);
  });
});

describe("a plan for a member in TypeScript", () => {
  it("says that a short form whose value is known may have it as its key", async () => {
    const member = await plan("ts/plugin.ts#Plugin.locate", "find");
    expect(member.textOnly.places.filter(({ isOpen }) => isOpen).map(({ at }) => at)).toEqual([
      { line: 8, column: 13 },
    ]);
    expect(member.gaps).toHaveLength(1);
    expect((await plan("ts/plugin.ts#locate", "find")).gaps).toEqual([]);
  });
});
