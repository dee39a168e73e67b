import { describe, expect, it } from "vitest";
import { readJudgements, readQueries } from "../../../../indexer/cli/commands/eval.ts";

const queries = (text: string) => readQueries({ file: "queries.jsonl", text });
const judgements = (text: string) => readJudgements({ file: "qrels.tsv", text });

describe("readQueries", () => {
  it("takes a JSON object a line, with ids that are texts or numbers, and passes over blank lines", () => {
    expect(queries('\ufeff{"id": "a", "text": "one", "more": true}\r\n\r\n{"id": 2, "text": "two"}\n')).toEqual([
      { id: "a", text: "one" },
      { id: "2", text: "two" },
    ]);
  });

  it.each([
    ['{"id": "a", "text": "one"}\n\n{"id": "b",', "queries.jsonl:3: not JSON"],
    ["[]", "queries.jsonl:1: a query needs an id"],
    ["null", "queries.jsonl:1: a query needs an id"],
    ['{"id": true, "text": "a"}', "queries.jsonl:1: a query needs an id"],
    ['{"id": "a"}', 'queries.jsonl:1: query "a" has no text'],
    ['{"id": "a", "text": " "}', 'queries.jsonl:1: query "a" has no text'],
    ['{"id": 1, "text": "a"}\n{"id": "1", "text": "b"}', 'queries.jsonl:2: query "1" stands there twice'],
    ["\n \n", "queries.jsonl holds no queries"],
  ])("names file and line of what it cannot take: %j", (text, message) => {
    expect(() => queries(text)).toThrow(message);
  });
});

describe("readJudgements", () => {
  it("takes three columns with tabs between them", () => {
    expect(judgements("q1\ta b.md\t2\r\n\nq1\tc.md\t0\n")).toEqual([
      { query: "q1", document: "a b.md", grade: 2, line: 1 },
      { query: "q1", document: "c.md", grade: 0, line: 3 },
    ]);
  });

  it.each([
    ["q1\ta.md\t1\nq1 b.md 1", 'qrels.tsv:2: a judgement is "query id TAB document TAB grade", got "q1 b.md 1"'],
    ["q1\t0\ta.md\t1", "qrels.tsv:1: a judgement is"],
    ["q1\t\t1", "qrels.tsv:1: a judgement is"],
    ["q1\ta.md\thigh", 'qrels.tsv:1: a grade is a whole number from 0 to 10, got "high"'],
    ["q1\ta.md\t-1", "qrels.tsv:1: a grade is"],
    ["q1\ta.md\t11", "qrels.tsv:1: a grade is"],
    ["q1\ta.md\t1\nq1\ta.md\t2", 'qrels.tsv:2: "a.md" is judged twice for query "q1"'],
    ["", "qrels.tsv holds no judgements"],
  ])("names file and line of what it cannot take: %j", (text, message) => {
    expect(() => judgements(text)).toThrow(message);
  });
});
