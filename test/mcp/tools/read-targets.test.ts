import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/runs.ts";
import { serveFiles } from "../../support/serve-folder.ts";

const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at + 1)).join("\n");

const STORE = `import { a } from "./a.ts";

/** How long to wait. */
export const WAIT_MS = 5_000;

/** Keeps things. */
export class Store {
  /** What is kept. */
  #things: string[] = [];

  /** Puts one in. */
  put(thing: string): void {
    this.#things.push(thing);
    a(thing);
    a(thing);
  }

  size(): number {
    return this.#things.length;
  }
}

export function long(): void {
${numbered(90, (at) => `  a("${at}");`)}
}

export class Wide {
${numbered(40, (at) => `  method${at}(): void {\n    a();\n  }`)}
}
`;
const PAGE = `---
title: Use the store
---

Words before.

## Open it

\`\`\`ts
const store: Store = open("a");
\`\`\`

\`\`\`js
const store = open("a");
\`\`\`

Then put things in.

### With a lock

Locked.

## Close it

${numbered(80, (at) => `Line ${at} is one of many.`)}
`;
const FILES = {
  "src/store.ts": STORE,
  "src/a.ts": "export function a(thing?: string): void {}\n",
  "src/deep/config.ts": "export const deep = 1;\n",
  "src/config.ts": "export const here = 1;\nexport function twice(): void {}\n",
  "test/config.ts": "export const tested = 1;\nexport function twice(): void {}\n",
  "docs/guide/use.md": PAGE,
  "docs/guide/codes.md": `# Codes

| code | what it says |
|---|---|
${numbered(90, (at) => `| ${at} | thing ${at} |`)}
`,
  "docs/guide/short.md": "# Short\n\nTwo lines.\n",
  "docs/fr/guide/short.md": "# Court\n\nDeux lignes.\n",
};

const serve = async () => {
  const { ask } = await serveFiles(FILES);
  return {
    ask,
    read: async (targets: readonly string[], more: object = {}): Promise<string> =>
      (await ask("read", { format: "text", targets, ...more })).text,
  };
};

describe("read of targets", () => {
  it("gives lines, what is around a line, sections and symbols, each under one line", async () => {
    const { read } = await serve();
    const targets = ["src/store.ts:1-2", "src/store.ts:13", "src/store.ts:4", "guide/use.md#with a lock"];
    expect(await read(targets)).toBe(
      [
        "## src/store.ts:1-4 WAIT_MS",
        'import { a } from "./a.ts";',
        "",
        "/** How long to wait. */",
        "export const WAIT_MS = 5_000;",
        "## src/store.ts:11-16 Store.put",
        "/** Puts one in. */",
        "put(thing: string): void {",
        "  this.#things.push(thing);",
        "  a(thing);",
        "  a(thing);",
        "}",
        "## docs/guide/use.md:19-21",
        "### With a lock",
        "Locked.",
      ].join("\n"),
    );
    // A symbol by its file, by its container, by its name; and the id of an older tool.
    const size = "## src/store.ts:18-20 Store.size\nsize(): number {\n  return this.#things.length;\n}";
    for (const target of ["src/store.ts#size", "Store.size", "store.ts#Store.size", "code:src/store.ts#Store.size"])
      expect(await read([target])).toBe(size);
    expect(await read(["docs:docs/guide/use.md#n2", "guide/use#close"], { lines: 2 })).toBe(
      [
        "## docs/guide/use.md:19-104",
        "### With a lock",
        "Locked.",
        "## Close it",
        "Line 1 is one of many.",
        "… 79 lines more: docs/guide/use.md:26-104",
      ].join("\n"),
    );
  });

  it("gives short files whole, and outlines of long ones and of long containers", async () => {
    const { read } = await serve();
    expect(await read(["src/a.ts", "guide/short.md"])).toBe(
      "## src/a.ts:1\nexport function a(thing?: string): void {}\n## docs/guide/short.md:1-3\n# Short\nTwo lines.",
    );
    expect(await read(["guide/use.md"])).toBe(
      "## docs/guide/use.md 104 lines\n7 ## Open it\n19 ### With a lock\n23 ## Close it",
    );
    // What has no headings and no symbols has no outline: its beginning, and where it goes on.
    const plain = await serveFiles({ "plain.md": `# Plain\n\n${"A line of the page that says so.\n".repeat(200)}` });
    const first = (await plain.ask("read", { format: "text", targets: ["plain.md"], lines: 3 })).text;
    expect(first.split("\n")).toHaveLength(5);
    expect(first).toMatch(/^## .*plain\.md:1-202\n# Plain\n(?:A line.*\n){2}… 198 lines more: .*plain\.md:5-202$/);
    expect((await read(["store.ts"])).split("\n").slice(0, 6)).toEqual([
      ...["## src/store.ts 237 lines", "4 WAIT_MS", "7-21 Store", " 9 #things", " 12-16 put", " 18-20 size"],
    ]);
    expect((await read(["Wide"])).split("\n").slice(0, 3)).toEqual([
      ...["## src/store.ts:116-237 Wide", "export class Wide", "117-119 method1"],
    ]);
    const long = (await read(["long"])).split("\n");
    expect([long.length, long[0], long.at(-1)]).toEqual([
      ...[62, "## src/store.ts:23-114 long", "… 32 lines more: src/store.ts:83-114"],
    ]);
    // Of a line in something long, the lines around it, and where it begins and ends.
    expect((await read(["store.ts:60"])).split("\n")[0]).toBe("## src/store.ts:54-77 long 23-114");
  });

  it("gives rows of a table with its head", async () => {
    const { read } = await serve();
    const head = ["| code | what it says |", "|---|---|"];
    const around = (await read(["codes.md:64"])).split("\n");
    expect(around.slice(0, 5)).toEqual([
      ...["## docs/guide/codes.md:61-72 Codes 1-94", ...head, "| 57 | thing 57 |", "| 58 | thing 58 |"],
    ]);
    expect(around).toHaveLength(15);
  });

  it("leaves twins out of pages, but not out of lines that were asked for", async () => {
    const { read } = await serve();
    const section = await read(["use.md#open"]);
    expect(section).toContain("```\n [JavaScript twin left out]\nThen put");
    expect(await read(["use.md:7-17"])).toContain("```js\n");
    expect(await read(["use.md:14"])).toContain("```js\n");
  });

  it("takes endings of paths and addresses, the product before tests, and names the others", async () => {
    const { read } = await serve();
    expect(await read(["config.ts:1"])).toBe(
      "## src/config.ts:1 here [also src/deep/config.ts]\nexport const here = 1;",
    );
    expect(await read(["twice"])).toBe(
      "## src/config.ts:2 twice [also test/config.ts:2]\nexport function twice(): void {}",
    );
    const short = "## docs/guide/short.md:1-3\n# Short\nTwo lines.";
    for (const target of [
      ...["short.md", "guide/short", "./docs/guide/short.md", "/home/me/repo/docs/guide/short.md"],
      ...["https://store.example/guide/short/", "https://git.example/a/b/blob/main/docs/guide/short.md?plain=1"],
    ]) {
      expect(await read([target])).toBe(short);
    }
    expect(await read(["https://git.example/a/b/blob/main/src/store.ts#L18-L19"])).toBe(
      "## src/store.ts:18-19 Store.size\nsize(): number {\n  return this.#things.length;",
    );
  });

  it("says of each wrong target what is wrong with it, and answers the others", async () => {
    const { ask, read } = await serve();
    const text = await read([
      ...[
        "stroe.ts",
        "Store.putt",
        "docs/guide",
        "guide/use.md#opne it",
        "short.md:2-900",
        "short.md:900",
        "short.md:2-900",
      ],
    ]);
    expect(text.split("\n").filter((line) => line !== "Two lines." && line !== "")).toEqual([
      expect.stringMatching(/^## stroe\.ts: there is no file or symbol "stroe\.ts"\. Did you mean src\/store\.ts/),
      expect.stringMatching(/^## Store\.putt: there is no file or symbol "Store\.putt"\. Did you mean Store\.put/),
      '## docs/guide: a folder of 3 files: map {"path":"docs/guide"}',
      expect.stringMatching(/^## guide\/use\.md#opne it: it has no heading "opne it"\. Did you mean Open it/),
      "## docs/guide/short.md:1-3 [it has 3 lines]",
      "# Short",
      "Asked twice, answered once.",
    ]);
    const { json } = await ask("read", { targets: ["short.md", "nope.md", "store.ts:1-3"] });
    expect(json.parts).toMatchObject([
      { path: "docs/guide/short.md", startLine: 1, endLine: 3, text: "# Short\nTwo lines." },
      { target: "nope.md" },
      { path: "src/store.ts", startLine: 1, endLine: 3 },
    ]);
  });

  it("gives any lines as they are, and never more than was allowed", async () => {
    const { ask } = await serve();
    const lines = STORE.split("\n").slice(0, -1);
    const line = fc.integer({ min: 1, max: lines.length });
    const target = fc.constantFrom(
      "store.ts",
      "use.md",
      "use.md#close it",
      "Store",
      "long",
      "Wide",
      "nope",
      "use.md:9",
      "a",
      "config.ts",
    );
    await fc.assert(
      fc.asyncProperty(
        line,
        fc.nat({ max: 50 }),
        fc.array(target, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 150, max: 900 }),
        async (start, more, targets, max_tokens) => {
          const end = Math.min(lines.length, start + more);
          const { json } = await ask("read", { targets: [`store.ts:${start}-${end}`], max_tokens: 6000 });
          const [{ text }] = json.parts as [{ readonly text: string }];
          const wanted = lines.slice(start - 1, end);
          const bare = (list: readonly string[]): string =>
            list
              .map((one) => one.trim())
              .join("\n")
              .trim();
          expect(bare(text.split("\n"))).toBe(bare(wanted));
          const answer = await ask("read", { targets, max_tokens, format: "text" });
          expect(answer.isError).toBe(false);
          expect(answer.text.length / 4).toBeLessThanOrEqual(max_tokens);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
