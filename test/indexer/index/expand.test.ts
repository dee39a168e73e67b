/** Terms that a command adds to sections, and commands that misbehave. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BuildRequest, buildCorpus } from "../../../indexer/index/build.ts";
import { search } from "../../../src/core/search/search.ts";
import { openFiles } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";
import { makeFolder, readFolder } from "../../support/temporary-folder.ts";

const PAGES = {
  "a.md": "# Signing in\n\nWho you are.\n\n## Passwords\n\nA secret text.",
  "b.md": "# Cats\n\nThey like milk.",
};

/** Reads the sections, calls `answer` for each, and writes what it gives; counts the calls in `asked.log`. */
const script = (answer: string, end = ""): string => `
import { appendFileSync } from "node:fs";
let text = "";
for await (const piece of process.stdin) text += piece;
for (const line of text.trim().split("\\n")) {
  const section = JSON.parse(line);
  appendFileSync("asked.log", section.id + "\\n");
  ${answer}
}
${end}`;
const say = (value: string): string => `console.log(JSON.stringify(${value}));`;
const WORDS = say(`{ id: section.id, terms: section.heading === "Passwords" ? [["zorblax", 1], ["milk", 1]] : [] }`);

async function makeProject(code: string, expand: object = {}) {
  const command = [process.execPath, "expand.mjs"];
  const dir = await makeFolder({
    ...PAGES,
    "expand.mjs": code,
    "treeline.config.json": JSON.stringify({ expand: { command, ...expand }, collections: [{ name: "docs" }] }),
  });
  const build = async (request: Partial<BuildRequest> = {}) => {
    const outDir = join(dir, ".treeline", "index");
    const summary = await buildCorpus({ dir, outDir, allowCommands: true, cacheDir: join(dir, ".cache"), ...request });
    const { reader } = await openFiles(await readFolder(outDir), "all");
    const find = async (query: string) => (await search(reader, ask(query))).hits;
    const findings = summary.diagnostics.filter(({ code }) => /^expand|^command/.test(code));
    return { summary, find, findings, messages: findings.map(({ message }) => message) };
  };
  const asked = async () =>
    (await readFile(join(dir, "asked.log"), "utf8").catch(() => "")).trim().split("\n").filter(Boolean);
  return { dir, build, asked };
}

describe("a command that expands sections", () => {
  it("makes a section findable by what it does not say, and shows nothing of that", async () => {
    const { build } = await makeProject(script(WORDS));
    const { find, messages } = await build();
    const [hit] = await find("zorblax");
    expect(hit?.sections[0]).toMatchObject({ heading: "Passwords" });
    expect(JSON.stringify(hit)).not.toMatch(/zorblax|milk/);
    expect((await find("milk")).map(({ path }) => path).sort()).toEqual(["a.md", "b.md"]);
    expect(messages).toEqual([expect.stringMatching(/gave 2 terms to sections, \d+ bytes of postings$/)]);
  });

  it("is not asked again about sections that did not change, and the index is the same", async () => {
    const { dir, build, asked } = await makeProject(script(WORDS));
    const first = await build();
    const before = (await asked()).length;
    const again = await build({ outDir: join(dir, "other") });
    expect([before, (await asked()).length]).toEqual([3, 3]);
    expect(again.summary.generation).toBe(first.summary.generation);
    await writeFile(join(dir, "b.md"), "# Cats\n\nThey like fish.");
    const { find } = await build();
    expect((await asked()).slice(before)).toEqual(["docs:b.md"]);
    expect((await find("zorblax")).map(({ path }) => path)).toEqual(["a.md"]);
  });

  it("does not run without permission, which one warning says", async () => {
    const { build, asked } = await makeProject(script(WORDS));
    const { find, findings } = await build({ allowCommands: false });
    expect(findings).toEqual([expect.objectContaining({ severity: "warning", code: "command-not-allowed" })]);
    expect(findings[0]?.message).toContain("--allow-commands");
    expect([await asked(), await find("zorblax")]).toEqual([[], []]);
    // What was built without it is not taken for what it would have been.
    expect(await (await build()).find("zorblax")).toHaveLength(1);
  });

  it("adds at most so many terms a section, the heaviest, and none that weigh too little", async () => {
    const terms = `[["light", 0.4], ["no", 3], ["one", 1], ["heavy", 1e9], ["middle", 2]]`;
    const { build } = await makeProject(script(say(`{ id: section.id, terms: ${terms} }`)), { terms: 2 });
    const { find } = await build();
    const counts = await Promise.all(
      ["light", "one", "heavy", "middle"].map(async (word) => (await find(word)).length),
    );
    expect(counts).toEqual([0, 0, 2, 2]);
  });

  it.each([
    ["does not exist", "", { command: ["./no-such-program"] }, /cannot be run: .*ENOENT/],
    [
      "exits with an error",
      script("", `console.error("no model"); process.exit(3);`),
      {},
      /ended with code 3: no model$/,
    ],
    ["hangs", "setInterval(() => undefined, 1000);", { seconds: 1 }, /was stopped after 1 s/],
    [
      "writes no JSON",
      script(`console.log("{oops");`),
      {},
      /not an object with id and terms, the first "\{oops", and 2 more times$/,
    ],
    [
      "lies about ids",
      script(say(`{ id: "x", terms: [] }`)),
      {},
      /an id that it was not asked about, the first "x", and 2 more/,
    ],
    [
      "answers a line without end",
      `const write = () => process.stdout.write("x".repeat(1 << 20), write); write();`,
      {},
      /returned a line of more than/,
    ],
    ["answers twice", script(`${WORDS}${WORDS}`), {}, /answered twice for one id/],
    [
      "gives no terms",
      script(say(`{ id: section.id, terms: [["a"], ["b", -1], ["c", "x"], 5] }`)),
      {},
      /not pairs of a text/,
    ],
  ])("that %s costs one finding and no build", async (_, code, expand, message) => {
    const { build } = await makeProject(code, expand);
    const { summary, find, messages } = await build();
    expect(summary.documents).toBe(2);
    expect(messages.filter((one) => message.test(one))).toHaveLength(1);
    expect((await find("secret")).map(({ path }) => path)).toEqual(["a.md"]);
  });

  it("that gives a million terms gives a section its most", async () => {
    const many = `Array.from({ length: 60_000 }, (_, n) => ["w" + n, 1])`;
    const { build } = await makeProject(script(say(`{ id: section.id, terms: ${many} }`)));
    expect((await build()).messages).toContainEqual(expect.stringMatching(/gave 48 terms to sections/));
  });

  it("that failed is asked again, and no index is built on what it left out", async () => {
    const { dir, build } = await makeProject("process.exit(1);");
    await build();
    await writeFile(join(dir, "expand.mjs"), script(WORDS));
    const { find } = await build({ base: join(dir, ".treeline", "index") });
    expect((await find("zorblax")).map(({ path }) => path)).toEqual(["a.md"]);
  });
});
