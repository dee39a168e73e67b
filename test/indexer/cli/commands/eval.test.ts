import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evalCommand } from "../../../../indexer/cli/commands/eval.ts";
import { buildPages } from "../../../support/build-index.ts";
import { runCommands } from "../../../support/list-command.ts";

let dir: string;

async function evaluate(...words: readonly string[]) {
  return runCommands([evalCommand], ["eval", ...words, "--index", dir]);
}

describe("treeline eval", () => {
  let queries: string;
  let qrels: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-eval-"));
    queries = join(dir, "queries.jsonl");
    qrels = join(dir, "qrels.tsv");
    const { files } = await buildPages({
      "lamp.md": "# Lamp\n\nA brass lamp.\n",
      "rope.md": "# Rope\n\nA rope, a lamp.\n",
    });
    for (const [name, bytes] of files) await writeFile(join(dir, name), bytes);
    await writeFile(
      queries,
      '{"id": "q1", "text": "brass lamp"}\n{"id": "q2", "text": "lamp"}\n{"id": "q4", "text": "a"}\n',
    );
    await writeFile(qrels, "q1\tlamp.md\t1\nq2\trope\t2\nq3\trope.md\t1\n");
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it("prints figures and costs, and says which queries it left out", async () => {
    const { code, out, err } = await evaluate(queries, qrels);
    expect(code).toBe(0);
    expect(out).toMatch(/^queries +2\nnDCG@10 +0\.8155\nMRR@10 +0\.7500\nRecall@10 +1\.0000\nsuccess@5 +1\.0000\n/);
    expect(out).toMatch(/latency +median [\d.]+ ms, p95 [\d.]+ ms\nbytes +mean \d+, worst \d+\nwaves .*\nreads /);
    expect(err).toBe(
      "queries left out because nothing is judged for them: 1\nqueries left out because they are judged and not asked: 1",
    );
  });

  it("prints one JSON object", async () => {
    const { out } = await evaluate(queries, qrels, "--json");
    expect(JSON.parse(out)).toMatchObject({ queries: 2, mrr: 0.75, bytes: { worst: expect.any(Number) } });
  });

  it("exits with 1 and says so when a gate is missed", async () => {
    const { code, err } = await evaluate(queries, qrels, "--min-mrr", "0.9", "--min-recall", "1", "--min-ndcg", ".82");
    expect(code).toBe(1);
    expect(err).toContain("nDCG@10 is 0.8155, below the 0.82 that was asked for");
    expect(err).toContain("MRR@10 is 0.7500, below the 0.9 that was asked for");
    expect(err).not.toContain("Recall");
    expect((await evaluate(queries, qrels, "--min-mrr", "0.75", "--min-success", "1.0")).code).toBe(0);
  });

  it.each([
    ["--min-mrr", "2"],
    ["--min-ndcg", "high"],
    ["--min-recall", "-1"],
  ])("takes %s %s as wrong usage", async (option, value) => {
    const { code, err } = await evaluate(queries, qrels, `${option}=${value}`);
    expect(code).toBe(2);
    expect(err).toContain(`${option} must be`);
  });

  it("says in words what is wrong with its files", async () => {
    expect((await evaluate(queries)).code).toBe(2);
    expect((await evaluate(join(dir, "gone"), qrels)).err).toContain("there is no file");
    expect((await evaluate(dir, qrels)).err).toContain("cannot be read: it is a folder");
    const other = join(dir, "other.tsv");
    await writeFile(other, "q9\tlamp.md\t1\n");
    expect(await evaluate(queries, other)).toMatchObject({ code: 1, err: expect.stringContaining("their ids differ") });
    await writeFile(other, "q1\tlamb.md\t1\n");
    const { code, err } = await evaluate(queries, other);
    expect(code).toBe(1);
    expect(err).toContain('other.tsv:1: the index has no document "lamb.md"');
    expect(err).toContain("did you mean: docs:lamp.md");
  });
});
