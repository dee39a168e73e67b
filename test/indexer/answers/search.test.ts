import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runs } from "../../support/runs.ts";
import { type ServedFolder, serveFiles } from "../../support/serve-folder.ts";

const FLAGS = ["check", "zebra", "watch"].map((name) => `| \`--${name}\` | what ${name} does |`);
const FILES = {
  "docs/guide/timeouts.md":
    "# Timeouts\n\n## testTimeout\n\nHow long a test may take in milliseconds before it fails.\n\n- Type: `number`\n- Default: `5_000`\n\n## hookTimeout\n\nHow long a hook may take. `0` is for ever.\n",
  "docs/guide/flags.md": `# Flags\n\nAll of them:\n\n| flag | meaning |\n|---|---|\n${FLAGS.join("\n")}\n`,
  "docs/guide/storage.md":
    "# Storage\n\nThe disk is a keeper of bytes. See `RETRY_LIMIT` for how often a failed write is repeated.\n",
  "docs/reference/limits.md": "# Limits\n\n## Uploads\n\nAn upload of bytes is refused above 10 MB.\n",
  "docs/CHANGELOG.md": "# Changes\n\n## 2.0\n\n- testTimeout was added, and quaggas are no longer supported.\n",
  "src/retry.ts":
    "/** How often a failed write is repeated. */\nexport const RETRY_LIMIT = 7;\n\n/** Repeats what failed. */\nexport function retry(run: () => void): void {\n  for (let at = 0; at < RETRY_LIMIT; at++) run();\n}\n",
  "src/upload.ts":
    'import { retry } from "./retry.ts";\n\n/** Uploads bytes. */\nexport function upload(bytes: Uint8Array): void {\n  retry(() => send(bytes));\n}\n',
  "src/upload.test.ts":
    'import { upload } from "./upload.ts";\nit("uploads okapis", () => upload(new Uint8Array()));\n',
};

let folder: string;
let ask: ServedFolder["ask"];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "treeline-search-"));
  ({ ask } = await serveFiles(FILES, folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const search = async (given: Readonly<Record<string, unknown>>): Promise<string> =>
  (await ask("search", { format: "text", ...given })).text;

interface Passage {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}
interface Part {
  readonly query: string;
  readonly passages: readonly Passage[];
  readonly values: readonly { readonly name: string }[];
  readonly notes?: readonly string[];
}
const partsOf = async (given: Readonly<Record<string, unknown>>): Promise<readonly Part[]> =>
  (await ask("search", given)).json["parts"] as Part[];
const pathsOf = async (given: Readonly<Record<string, unknown>>): Promise<string[]> =>
  (await partsOf(given)).flatMap(({ passages }) => passages.map(({ path }) => path));

describe("search", () => {
  it("answers each query with passages, in the order asked", async () => {
    const text = await search({ queries: ["how long may a test take by default", "--zebra"] });
    const [first = "", second = ""] = text.split(/^#2 /m);
    expect(first).toMatch(/^#1 how long may a te\.\.\.\ndocs\/guide\/timeouts\.md:5-8 testTimeout\n/);
    expect(first).toContain("- Default: `5_000`");
    expect(second).toContain("| `--zebra` | what zebra does |");
  });

  it("names a folder once that all paths are in", async () => {
    const text = await search({
      queries: ["testTimeout", "--zebra", "--check", "--watch", "hookTimeout"],
      path: "docs/guide",
    });
    expect(text).toMatch(/^paths below docs\/guide\/\n#1 testTimeout\ntimeouts\.md:/);
  });

  it("names one query alone by its answer", async () => {
    expect(await search({ queries: ["upload refused above"] })).toMatch(
      /^docs\/reference\/limits\.md:5 Uploads\n An upload of bytes is refused above 10 MB\.\n/,
    );
  });

  it("joins wordings of one need, so that each brings its sections", async () => {
    const fused = await pathsOf({ queries: ["hookTimeout | --watch | limits of uploads"] });
    expect(fused).toEqual(
      expect.arrayContaining(["docs/guide/timeouts.md", "docs/guide/flags.md", "docs/reference/limits.md"]),
    );
    expect(await pathsOf({ queries: [" | hookTimeout | "] })).toEqual(await pathsOf({ queries: ["hookTimeout"] }));
  });

  it("gives the values of constants that a passage names", async () => {
    const text = await search({ queries: ["disk keeper of bytes"], in: "docs" });
    expect(text).toContain("where export const RETRY_LIMIT = 7; (src/retry.ts:2)");
    const defining = await partsOf({ queries: ["RETRY_LIMIT"], in: "code", path: "src/retry.ts" });
    expect(defining[0]?.values).toEqual([]);
  });

  it("looks only where it is told to: docs or code, folders, files and globs, some left out", async () => {
    const among = async (given: Readonly<Record<string, unknown>>): Promise<Set<string>> =>
      new Set(await pathsOf({ queries: ["upload bytes write repeated"], ...given }));
    expect([...(await among({ in: "code" }))].every((path) => path.startsWith("src/"))).toBe(true);
    expect([...(await among({ in: "docs" }))].every((path) => path.endsWith(".md"))).toBe(true);
    expect(await among({ path: "src/upload.ts" })).toEqual(new Set(["src/upload.ts"]));
    expect(await among({ path: "reference" })).toEqual(new Set(["docs/reference/limits.md"]));
    expect(await among({ path: ["docs/**/s*.md", "nowhere"] })).toEqual(new Set(["docs/guide/storage.md"]));
    expect(await among({ path: "src !**/retry.ts" })).toEqual(new Set(["src/upload.ts"]));
    const wrong = await ask("search", { queries: ["a"], path: "src/uplaod.ts", format: "text" });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toContain("src/upload.ts");
  });

  it("leaves out what is beside the product, and counts it where there is nothing else", async () => {
    expect(await search({ queries: ["okapis"] })).toBe("nothing but 1 file of tests and the like");
    expect(await search({ queries: ["quaggas"] })).toBe("nothing but 1 file of tests and the like");
    expect(await pathsOf({ queries: ["testTimeout"] })).not.toContain("docs/CHANGELOG.md");
  });

  it("says what was not found, and what was looked for instead of a word", async () => {
    expect(await search({ queries: ["wombat", "uploda refused"] })).toMatch(
      /#1 wombat: no document holds wombat; nothing found\n#2 uploda refused: upload for uploda\n/,
    );
    expect(await search({ queries: ["|"] })).toContain("nothing found");
  });

  it("answers equal queries once and says so, and refuses none and too many in words", async () => {
    const text = await search({ queries: ["hookTimeout", "hookTimeout"] });
    expect(text.match(/hookTimeout\n/g)).toHaveLength(1);
    expect(text).toContain("Equal queries are answered once.");
    for (const queries of [[], Array.from({ length: 21 }, (_, at) => `q${at}`)]) {
      const { isError, text: refusal } = await ask("search", { queries, format: "text" });
      expect(isError).toBe(true);
      expect(refusal).toMatch(/^queries .*\n/);
    }
  });

  it("answers twenty queries within the least budget, and takes one as a text", async () => {
    const queries = Array.from({ length: 20 }, (_, at) => `upload bytes ${at}`);
    const answer = await search({ queries, max_tokens: 100 });
    expect(answer.length).toBeLessThan(1200);
    expect(await search({ query: "hookTimeout", in: "docs" })).toBe(
      await search({ queries: ["hookTimeout"], in: "docs" }),
    );
  });

  it("as values has the lines that stand in the files, where it says", async () => {
    const words = [...new Set(Object.values(FILES).flatMap((text) => text.match(/\p{L}{3,}/gu) ?? []))];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }), async (query) => {
        for (const { passages } of await partsOf({ queries: [query.join(" ")] })) {
          for (const { path, startLine, endLine, text } of passages) {
            const own = (FILES[path as keyof typeof FILES] ?? "")
              .split("\n")
              .slice(startLine - 1, endLine)
              .join("\n");
            expect(endLine).toBeGreaterThanOrEqual(startLine);
            for (const line of text.split("\n").filter((one) => !one.startsWith("… ")))
              expect(own).toContain(line.trim());
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("says where the code sets another default than a page gives", async () => {
    const { ask } = await serveFiles({
      "docs/config.md": "# Configuration\n\n## retries\n\n- Default: `3`\n\n## timeout\n\nDefault: `5_000`\n",
      "src/options.ts": "export const configDefaults = {\n  retries: 5,\n  timeout: 5000,\n};\n",
      "src/other.ts": "export const other = { retries: 7 };\n",
    });
    const { text } = await ask("search", { queries: ["retries default", "timeout default"], format: "text" });
    const [retries = "", timeout = ""] = text.split(/^#2.*$/m);
    expect(retries).toContain("but the code sets 5 (src/options.ts:2)");
    expect(timeout).not.toContain("but the code");
  });
});
