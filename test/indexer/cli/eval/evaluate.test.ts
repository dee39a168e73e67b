import { beforeAll, describe, expect, it } from "vitest";
import { evaluateQueries, resolveJudged, summarize } from "../../../../indexer/cli/commands/eval.ts";
import { InputError } from "../../../../src/core/errors.ts";
import { type BuiltIndex, buildCollections } from "../../../support/build-index.ts";

const QUERIES: Parameters<typeof evaluateQueries>[1] = [
  { id: "q1", text: "brass lamp" },
  { id: "q2", text: "wombat" },
  { id: "q3", text: "zebra" },
];
const GRADES: Parameters<typeof evaluateQueries>[2] = new Map([
  ["q1", new Map([["docs:guide/lamp.md", 2]])],
  ["q2", new Map([["docs:guide/lamp.md", 1]])],
  ["q3", new Map([["docs:index.md", 1]])],
]);

let built: BuiltIndex;
beforeAll(async () => {
  built = await buildCollections([
    {
      name: "docs",
      pages: {
        "index.md": "# Start\n\nHere be wombats.\n",
        "guide/lamp.md": "# Lamp\n\nA brass lamp. No wombat.\n",
        "guide/rope.mdx": "# Rope\n\nA rope.\n",
      },
    },
    { name: "notes", pages: { "index.md": "# Notes\n\nThe lamp went out.\n" } },
  ]);
});

describe("resolveJudged", () => {
  const resolve = async (document: string, collection?: string) => {
    const { reader } = await built.open();
    const judgements = [{ query: "q", document, grade: 1, line: 7 }];
    return [...((await resolveJudged(reader, "qrels.tsv", judgements, collection)).get("q") ?? [])][0]?.[0];
  };

  it("takes ids, paths, and paths without extension", async () => {
    expect(await resolve("docs:index.md")).toBe("docs:index.md");
    expect(await resolve("guide/lamp.md")).toBe("docs:guide/lamp.md");
    expect(await resolve("guide/rope")).toBe("docs:guide/rope.mdx");
  });

  it("keeps the higher grade where two names mean one document", async () => {
    const judgements = [2, 1].map((grade) => ({
      query: "q",
      document: grade === 1 ? "guide/rope" : "guide/rope.mdx",
      grade,
      line: grade,
    }));
    const { reader } = await built.open();
    const grades = await resolveJudged(reader, "qrels.tsv", judgements, undefined);
    expect(grades.get("q")).toEqual(new Map([["docs:guide/rope.mdx", 2]]));
  });

  it("refuses a path that several collections hold, unless one is chosen", async () => {
    const error = await resolve("index.md").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain('qrels.tsv:7: "index.md" names several documents');
    expect((error as InputError).nearest).toEqual(["docs:index.md", "notes:index.md"]);
    expect(await resolve("index.md", "notes")).toBe("notes:index.md");
  });

  it("names the line and the nearest documents where there is none", async () => {
    const error = await resolve("guide/lmap.md").catch((thrown: unknown) => thrown);
    expect((error as InputError).message).toBe('qrels.tsv:7: the index has no document "guide/lmap.md"');
    expect((error as InputError).nearest[0]).toBe("docs:guide/lamp.md");
    await expect(resolve("guide/lamp.md", "notes")).rejects.toThrow("no document");
  });
});

describe("evaluateQueries", () => {
  it("gives figures of each query and means over all", async () => {
    const { reader } = await built.open();
    const evaluated = await evaluateQueries(reader, QUERIES, GRADES, undefined);
    expect(evaluated.map(({ figures }) => figures.mrr)).toEqual([1, 0.5, 0]);
    expect(summarize(evaluated)).toMatchObject({ queries: 3, mrr: 0.5, recall: 2 / 3, success: 2 / 3 });
  });

  it("reads only what is new for the next query", async () => {
    const twice = [0, 0].flatMap((at) => QUERIES[at] ?? []);
    const [first, second] = await evaluateQueries((await built.open()).reader, twice, GRADES, undefined);
    expect(first?.bytes).toBeGreaterThan(0);
    expect(second).toMatchObject({ bytes: 0, reads: 0, waves: 0 });
  });

  it("asks one collection alone where one is given", async () => {
    const { reader } = await built.open();
    const grades = new Map([["q1", new Map([["notes:index.md", 1]])]]);
    const [first] = await evaluateQueries(reader, QUERIES, grades, "notes");
    expect(first?.figures).toEqual({ ndcg: 1, mrr: 1, recall: 1, success: 1 });
  });
});
