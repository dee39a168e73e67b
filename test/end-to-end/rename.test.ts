/**
 * Renames of every symbol of two small projects, as a client asks for them: the certain edits are made, and the compiler, or
 * CPython, says whether the code still stands. `npm run prove:rename` does the same with real packages.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIndexAt } from "../../indexer/open/open-index.ts";
import schemaOfCommon from "../../schemas/tools/common.schema.json" with { type: "json" };
import schemaOfRename from "../../schemas/tools/rename.schema.json" with { type: "json" };
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { callTool } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { projectRoot } from "../support/environment.ts";
import { findMisfits, type Schema } from "../support/json-schema.ts";
import {
  applyEdits,
  createCompiler,
  type FindErrors,
  listFiles,
  listSymbols,
  RENAMED_KINDS,
} from "../support/rename-proof.ts";
import { createPythonCheck } from "../support/rename-python.ts";
import { type FileContents, writeFiles } from "../support/temporary-folder.ts";

const NODE = join(projectRoot, "node_modules", ".bin", "node");
const SCHEMAS: Readonly<Record<string, Schema>> = {
  "common.schema.json": schemaOfCommon,
  "rename.schema.json": schemaOfRename,
};
const SCRIPTS: FileContents = {
  "src/store.ts": `/** A store; open it with open(). */
export interface Closable {
  close(): void;
}

export interface Options {
  readonly size: number;
  label?: string;
}

export enum Mode {
  Read = 1,
  Write = Read << 1,
}

export const limit = 10;
export let count = 0;

export function open(name: string): Store;
export function open(name: string, options: Options): Store;
export function open(name: string, options: Options = { size: limit }): Store {
  count++;
  const { size, label = "none" } = options;
  return new Store(name, { size, label });
}

export class Store implements Closable {
  static made = 0;
  #secret = 1;
  readonly "quoted" = 2;
  constructor(
    readonly title: string,
    protected options: Options,
  ) {
    Store.made++;
    if (title === "") throw new Error(\`no title: \${title}\`);
  }
  get total(): number {
    return this.#secret + this.quoted;
  }
  set total(value: number) {
    this.#secret = value;
  }
  close(): void {
    this.options = { size: 0 };
  }
}

function hidden(): string {
  return "hidden";
}
export { hidden as shown };

export default function fallback(): Store {
  return open(hidden());
}

export namespace Tools {
  export function sharpen(): number {
    return 1;
  }
  export const steel = sharpen();
}
`,
  "src/file-store.ts": `import { type Closable, limit as most, Mode, open, type Options, Store } from "./store";

export class FileStore extends Store {
  close(): void {
    super.close();
    this.total = most;
  }
  mode = Mode.Write;
}

class Door {
  close(): void {}
}

/** A door gets its \`close\` to be one of those. */
export class Gate extends Door implements Closable {}

export const defaults: Options = { size: 3, label: "three" };
export type Opener = typeof open;
export const openers = { open, close: (it: Closable) => it.close() };

export function makeOptions(size: number): Options {
  return { size };
}

export function shut(things: readonly Closable[]): void {
  for (const thing of things) thing.close();
}
`,
  "src/anonymous.ts": "export default function (): number {\n  return 1;\n}\n",
  "src/index.ts": `export * from "./file-store";
export { open, Store as Shop, Mode, shown, default as fallback } from "./store";
export * as everything from "./store";
`,
  "src/use.ts": `import fallback, * as all from "./store";
import { everything, FileStore, open, openers, Shop, shown, shut } from "./index";

const shop: Shop = open("a");
const { open: start } = openers;
shut([shop, new FileStore("b", { size: 1 }), fallback(), start("c")]);
shop.close();
console.log(all.open("d").title, everything.limit, shown(), all.Tools.sharpen(), all.Tools.steel, Shop.made, all.Mode.Read);
export { open as begin };
`,
};

/** Short forms beside what looks like them, and names that come back on their way through aliases. */
const FORMS: FileContents = {
  "src/shop.tsx": `declare global {
  namespace JSX {
    interface IntrinsicElements {
      [name: string]: unknown;
    }
  }
}
export class Store {
  constructor(readonly title: string) {
    save({ title }, [title].map((title) => ({ title })));
  }
}
export const width = 3;
export const size = { width };
export const { length } = "four";
export interface Box {
  width: number;
  store?: typeof Store;
}
function save(what: { title: string }, more: { title: string }[]): void {
  console.log(what.title, more);
}
export function Widget(props: { width: number; store: typeof Store }): string {
  return String(props.width);
}
export const shown = [
  <b store={Store} width={width}>{width}{Store.name}</b>,
  <i width={size.width} {...{ width }} />,
  Widget({ width, store: Store }),
];
export function makeBox(store: typeof Store): Box {
  if (width > 2) return { width, store };
  const { width: other } = size;
  return { width: other };
}
export default Store;
`,
  "src/index.ts": `export { Store as Store, width as breadth } from "./shop";
export { default as Shop } from "./shop";
`,
  "src/back.ts": `export { breadth as width } from "./index";
`,
  "src/use.ts": `import Store, { length, Store as Store2, width as width } from "./shop";
import { breadth, Shop, Store as Same } from "./index";
import { width as again } from "./back";
import { width as last } from "./back";
export { last as width, Same };
export const all = { Store, Store2, width, breadth, Shop, Same, again, length };
`,
  "src/use-again.ts": `import { Store } from "./index";
import { width, Same } from "./use";
import { width as wide } from "./back";
export const made = new Store("a");
export const sum = width + wide;
export const box = { Same, width };
`,
};

const COMMONJS: FileContents = {
  "package.json": '{ "name": "words", "main": "lib/index.js" }',
  "lib/suggest.js": `function suggest(word) {
  return [word];
}
function hide() {
  return suggest("b");
}
const near = (exports.near = (word) => suggest(word));
exports.suggest = suggest;
exports.conceal = hide;
exports.far = function () {
  return near("c");
};
`,
  "lib/one.js": `module.exports = function one() {
  return 1;
};
`,
  "lib/index.js": `const { suggest } = require("./suggest.js");
const { near: close, conceal, far } = require("./suggest");
const one = require("./one");
const direct = require("./suggest").suggest;
exports.near = require("./suggest").near;
exports.suggest = suggest;
module.exports.one = one;
exports.run = () => [suggest("a"), close("b"), conceal(), far(), one(), direct("d")];
`,
  "lib/use.js": `const all = require("./index");
const { suggest, near, one } = require("./index");
console.log(all.suggest("a"), suggest("b"), near("c"), one(), all.near("d"), all.one(), all.run());
`,
};

const PYTHON: FileContents = {
  "shop/__init__.py": 'from .store import Store, make as build\n\n__all__ = ["Store", "build"]\n',
  "shop/store.py": `"""A store."""
__all__ = ["Store", "make", "LIMIT"]

LIMIT = 10


class Base:
    def close(self):
        return self.name()

    def name(self):
        return "base"


class Store(Base):
    kind = "store"

    def __init__(self, size=LIMIT):
        self.size = size

    def name(self):
        return f"{self.size} {self.kind}"

    def close(self):
        return super().close()


def make(size=LIMIT) -> Store:
    store = Store(size)
    store.close()
    return store


if make().size != LIMIT:
    raise ValueError(Store.kind)
`,
  "shop/same.py":
    "from .store import Store as Store, make as make\n\n__all__ = ['Store', 'make', 'renew']\n\n\ndef renew() -> Store:\n    return make()\n",
  "shop/far.py": "from .same import Store, make\nfrom . import same\n\nprint(Store, make(), same.Store)\n",
  "shop/use.py": `import shop.store
from shop import build, store
from shop.store import *
from shop.store import LIMIT as MOST, make


def run():
    def helper():
        return make(MOST)

    return helper(), build(), store.LIMIT, shop.store.make()


run()
print(Store, LIMIT)
`,
};

interface Project {
  readonly dir: string;
  readonly reader: () => IndexReader;
  readonly findErrors: FindErrors;
}

interface Answer {
  readonly whole: boolean;
  readonly gaps?: readonly string[];
  readonly certain: number;
  readonly likely: number;
  readonly textOnly: readonly { readonly file: string; readonly within: string }[];
  readonly conflicts: readonly { readonly message: string }[];
  readonly declarations: readonly string[];
  readonly files: readonly {
    readonly filePath: string;
    readonly hash: string;
    readonly certain: readonly { line: number; column: number; oldText: string; newText: string }[];
  }[];
}

const folders: string[] = [];

async function makeProject(files: FileContents, check: (dir: string) => FindErrors): Promise<Project> {
  const top = mkdtempSync(join(tmpdir(), "treeline-rename-"));
  folders.push(top);
  const dir = join(top, "project");
  await writeFiles(dir, files);
  const out = join(top, "index");
  execFileSync(NODE, [join(projectRoot, "indexer", "cli", "main.ts"), "build", dir, "--out", out, "--no-cache"], {
    stdio: "pipe",
  });
  const { index } = await openIndexAt(out);
  return { dir, reader: () => new IndexReader(index, "all"), findErrors: check(dir) };
}

async function call(
  project: Project,
  given: Readonly<Record<string, unknown>>,
): Promise<{ readonly text: string; readonly structuredContent: unknown }> {
  const { content, structuredContent } = await callTool(
    offeredTools(),
    "rename",
    { format: "json", max_tokens: 6000, ...given },
    {
      withReader: async (run) => ({ value: await run(project.reader()) }),
      signingKeys: createSigningKeys("test"),
      now: 0,
      report: (problem) => {
        throw new Error(JSON.stringify(problem));
      },
    },
  );
  return { text: content.map((block) => ("text" in block ? block.text : "")).join("\n"), structuredContent };
}

async function ask(project: Project, given: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { structuredContent } = await call(project, given);
  expect(findMisfits(structuredContent, "rename.schema.json", SCHEMAS)).toEqual([]);
  return structuredContent as unknown as Answer;
}

/** A symbol that was renamed alone, and the errors that making the certain edits brought. */
interface Renamed {
  readonly id: string;
  readonly answer: Answer;
  readonly errors: readonly string[];
}

/** Rename all symbols of a project, each by itself. */
async function renameEach(project: Project): Promise<Renamed[]> {
  const renamed: Renamed[] = [];
  for (const { id, record } of await listSymbols(project.reader(), RENAMED_KINDS)) {
    const newName = `${record.name}Qz7`;
    const answer = await ask(project, { symbol: id, new_name: newName });
    renamed.push({ id, answer, errors: apply(project, answer, record.name, newName) });
  }
  return renamed;
}

/** Those that are not as they should be, in words. */
function failuresOf(renamed: readonly Renamed[], isFailure: (one: Renamed) => boolean): string[] {
  return renamed.filter(isFailure).map(({ id, answer, errors }) => `${id} whole ${answer.whole}: ${errors.join("; ")}`);
}

/** Errors that making the certain edits brings. */
function apply(project: Project, answer: Answer, oldName: string, newName: string): readonly string[] {
  const changed = new Map(
    answer.files.map(({ filePath, certain }) => {
      const edits = certain.map(({ line, column, ...edit }) => ({ ...edit, at: { line, column } }));
      return [filePath, applyEdits(readFileSync(join(project.dir, filePath), "utf8"), edits)] as const;
    }),
  );
  return project.findErrors(changed, newName, oldName);
}

function newTexts(answer: Answer, path: string): string[] {
  return answer.files
    .filter(({ filePath }) => filePath === path)
    .flatMap(({ certain }) => certain.map((it) => it.newText));
}

/** Node over a project of CommonJS: what running it with other texts prints besides. */
function runProject(dir: string): FindErrors {
  const run = (root: string): string => {
    try {
      return execFileSync(NODE, [join(root, "lib", "use.js")], { encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      return String((error as { readonly stderr: string }).stderr);
    }
  };
  const before = run(dir);
  return (changed) => {
    const copy = mkdtempSync(join(tmpdir(), "treeline-commonjs-"));
    folders.push(copy);
    cpSync(dir, copy, { recursive: true });
    for (const [path, text] of changed) writeFileSync(join(copy, path), text);
    const after = run(copy);
    return after === before ? [] : [after];
  };
}

afterAll(() => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

describe("rename over TypeScript", () => {
  let project: Project;
  beforeAll(async () => {
    project = await makeProject(SCRIPTS, (dir) => createCompiler(dir, listFiles(dir, ".ts")));
  });

  it("leaves the project compiling, whichever symbol is renamed, unless the plan says that it is not whole", async () => {
    const renamed = await renameEach(project);
    // A plan that is not whole says that something is left to be looked at.
    expect(failuresOf(renamed, ({ answer, errors }) => errors.length > 0 && answer.whole)).toEqual([]);
    const whole = renamed.filter(({ answer }) => answer.whole).length;
    expect(renamed.length).toBeGreaterThan(35);
    expect(whole).toBeGreaterThan(renamed.length - 6);
  });

  it("writes both names where a short form stood for two", async () => {
    const variable = await ask(project, { symbol: "code:src/store.ts#open", new_name: "start" });
    expect(newTexts(variable, "src/file-store.ts")).toEqual(["start", "start", "open: start"]);
    const member = await ask(project, { symbol: "Options.size", new_name: "width" });
    expect(newTexts(member, "src/file-store.ts")).toEqual(["width", "width: size"]);
    expect(newTexts(member, "src/store.ts")).toContain("width: size");
  });

  it("renames overloads, and of members what implements them, through other bases, too", async () => {
    const overloads = await ask(project, { symbol: "code:src/store.ts#open", new_name: "start" });
    expect(overloads.declarations).toHaveLength(3);
    const family = await ask(project, { symbol: "Closable.close", new_name: "shutDown" });
    expect([...family.declarations].sort()).toEqual([
      "code:src/file-store.ts#Door.close",
      "code:src/file-store.ts#FileStore.close",
      "code:src/store.ts#Closable.close",
      "code:src/store.ts#Store.close",
    ]);
  });

  it("leaves other names for the symbol, and lists words in comments apart", async () => {
    const answer = await ask(project, { symbol: "code:src/store.ts#limit", new_name: "bound" });
    expect(newTexts(answer, "src/file-store.ts")).toEqual(["bound"]);
    const open = await ask(project, { symbol: "code:src/store.ts#open", new_name: "start" });
    expect(open.textOnly.filter(({ within }) => within === "comment")).toHaveLength(2);
  });

  it("refuses what is no name, and to rename what has none", async () => {
    const refused = async (symbol: string, new_name: string): Promise<string> =>
      (await call(project, { symbol, new_name })).text;
    expect(await refused("code:src/store.ts#limit", "a-b")).toContain('"a-b" is no identifier of typescript');
    expect(await refused("code:src/store.ts#limit", "while")).toContain('"while" is a keyword of typescript');
    expect(await refused("code:src/anonymous.ts#default", "hidden")).toContain("has no name");
    expect((await ask(project, { symbol: "Store.total", new_name: "while" })).conflicts).toEqual([]);
  });

  it("names conflicts: a name that is taken", async () => {
    const messages = async (symbol: string, new_name: string): Promise<string[]> =>
      (await ask(project, { symbol, new_name })).conflicts.map(({ message }) => message);
    expect(await messages("code:src/store.ts#limit", "count")).toContain("code:src/store.ts already declares count");
    expect(await messages("Store.total", "close")).toContain("Store already declares close");
    expect((await messages("code:src/store.ts#limit", "Gate")).join()).toContain("declares Gate");
    expect(await messages("code:src/store.ts#limit", "bound")).toEqual([]);
  });
});

describe("rename over short forms and aliases", () => {
  let project: Project;
  beforeAll(async () => {
    project = await makeProject(FORMS, (dir) => createCompiler(dir, listFiles(dir, ".ts").concat("src/shop.tsx")));
  });

  it("leaves the project compiling, whichever symbol is renamed", async () => {
    const renamed = (await renameEach(project)).filter(({ answer }) => answer.conflicts.length === 0);
    expect(failuresOf(renamed, ({ answer, errors }) => errors.length > 0 || answer.certain === 0)).toEqual([]);
    expect(renamed.length).toBeGreaterThan(12);
  });

  it("tells attributes and children of JSX from short forms", async () => {
    const answer = await ask(project, { symbol: "code:src/shop.tsx#width", new_name: "breadth" });
    const written = newTexts(answer, "src/shop.tsx");
    expect(written.filter((text) => text === "width: breadth")).toHaveLength(4);
    expect(written.filter((text) => text === "breadth")).toHaveLength(4);
  });

  it("changes an imported name and leaves another that is written alike", async () => {
    const answer = await ask(project, { symbol: "code:src/shop.tsx#width", new_name: "breadth" });
    expect(newTexts(answer, "src/use.ts")).toEqual(["breadth"]);
    expect(newTexts(answer, "src/back.ts")).toEqual([]);
    expect(newTexts(answer, "src/use-again.ts")).toEqual([]);
  });
});

describe("rename over CommonJS", () => {
  let project: Project;
  beforeAll(async () => {
    project = await makeProject(COMMONJS, runProject);
  });

  it("leaves the project running, whichever symbol is renamed, unless the plan says that it is not whole", async () => {
    const renamed = await renameEach(project);
    expect(failuresOf(renamed, ({ answer, errors }) => errors.length > 0 && answer.whole)).toEqual([]);
    expect(renamed.length).toBeGreaterThan(4);
  });

  it("changes both sides of an export, and who takes it by that name", async () => {
    const answer = await ask(project, { symbol: "code:lib/suggest.js#suggest", new_name: "propose" });
    expect(answer.whole).toBe(true);
    expect(newTexts(answer, "lib/suggest.js")).toEqual(["propose", "propose", "propose", "propose", "propose"]);
    expect(newTexts(answer, "lib/index.js")).toEqual(["propose", "propose", "propose", "propose"]);
    expect(newTexts(answer, "lib/use.js")).toEqual([]);
  });
});

describe("rename over Python", () => {
  let project: Project;
  beforeAll(async () => {
    project = await makeProject(PYTHON, createPythonCheck);
  });

  it("leaves every module importing and no name unbound, whichever symbol is renamed", async () => {
    const renamed = await renameEach(project);
    expect(failuresOf(renamed, ({ errors }) => errors.length > 0)).toEqual([]);
    expect(renamed.length).toBeGreaterThan(9);
  });

  it("changes an imported name and leaves the same name that it is given", async () => {
    const answer = await ask(project, { symbol: "code:shop/store.py#Store", new_name: "Item" });
    const [same] = answer.files.filter(({ filePath }) => filePath === "shop/same.py");
    expect(same?.certain).toEqual([expect.objectContaining({ line: 1, column: 20, newText: "Item" })]);
    expect(newTexts(answer, "shop/far.py")).toEqual([]);
  });

  it("renames what __all__ lists", async () => {
    const answer = await ask(project, { symbol: "code:shop/store.py#LIMIT", new_name: "MOST_OF_ALL" });
    const [store] = answer.files.filter(({ filePath }) => filePath === "shop/store.py");
    expect(store?.certain[0]).toMatchObject({ line: 2, oldText: "LIMIT" });
  });
});
