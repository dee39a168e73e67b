/**
 * Fits the weights of ranking to judged sets of different kinds, from the parts of scores that `explain` gives.
 *
 *   node bench/quality/fit-weights.ts FOLDER…
 *
 * A folder holds `docs/`, `queries.jsonl` and `qrels.tsv`, as for `treeline eval`. For each query the first CANDIDATES documents are taken
 * with their parts. Every part gets a factor, 1 for the weight as it is. Factors are tried one after another, each up and down by STEPS,
 * and kept where the mean nDCG@10 of the sets rises by more than LEAST_GAIN (coordinate ascent), until none is.
 *
 * Then each set is left out once: factors are fitted on the others and judged on it. What that gains over the weights as they are is what
 * other people's documents gain; the gain in the sample is not. Prints both, and the factors fitted on all sets.
 *
 * Not fitted here: k1, b and the powers, in which scores are not linear.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { meanOf, readJudgements, readQueries, resolveJudged, scoreRanking } from "../../indexer/cli/commands/eval.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { type Explanation, makeSearchRequest } from "../../src/core/search/answer.ts";
import { search } from "../../src/core/search/search.ts";
import { buildAndOpen } from "../relevance/judged-set.ts";

const CANDIDATES = 50;
const STEPS = [0, 0.5, 0.7, 0.85, 1.2, 1.5, 2, 3];
/** Smaller gains are noise. */
const LEAST_GAIN = 0.0005;
const MOST_ROUNDS = 3;

const PARTS = [
  "body",
  "title",
  "path",
  "description",
  "wholeTitle",
  "name",
  "pairs",
  "text",
  "heading",
  "pageTitle",
  "coverage",
] as const;
type Part = (typeof PARTS)[number];
type Vector = Readonly<Record<Part, number>>;

interface Candidate {
  readonly id: string;
  readonly parts: Vector;
}

interface JudgedQuery {
  readonly candidates: readonly Candidate[];
  readonly grades: ReadonlyMap<string, number>;
}

interface JudgedSet {
  readonly name: string;
  readonly queries: readonly JudgedQuery[];
}

const folders = process.argv.slice(2);
if (folders.length < 2) {
  console.error("usage: fit-weights.ts FOLDER FOLDER…");
  process.exit(2);
}
const sets: JudgedSet[] = [];
for (const folder of folders) sets.push(await readSet(folder));

const asIs = Object.fromEntries(PARTS.map((part) => [part, 1])) as Vector;
const fitted = fitWeights(sets);
console.log(`fitted on all sets: ${describe(fitted)}`);
const gains = sets.map((set) => {
  const others = fitWeights(sets.filter((other) => other !== set));
  const before = judge([set], asIs);
  const inSample = judge([set], fitted) - before;
  const leftOut = judge([set], others) - before;
  console.log(`${set.name.padEnd(28)} ${before.toFixed(4)} in sample ${points(inSample)}, left out ${points(leftOut)}`);
  return { inSample, leftOut };
});
console.log(
  `mean in sample ${points(meanOf(gains.map(({ inSample }) => inSample)))}, left out ${points(meanOf(gains.map(({ leftOut }) => leftOut)))}`,
);

function points(gain: number): string {
  return `${gain < 0 ? "" : "+"}${(100 * gain).toFixed(2)}`;
}

function describe(factors: Vector): string {
  const changed = PARTS.filter((part) => factors[part] !== 1);
  return changed.length === 0 ? "no weight changes" : changed.map((part) => `${part} × ${factors[part]}`).join(", ");
}

/** Factors by coordinate ascent. */
function fitWeights(on: readonly JudgedSet[]): Vector {
  let best = asIs;
  let reached = judge(on, best);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = best;
    for (const part of PARTS) {
      for (const step of STEPS) {
        const tried = { ...best, [part]: before[part] * step };
        const value = judge(on, tried);
        if (value <= reached + LEAST_GAIN) continue;
        reached = value;
        best = tried;
      }
    }
    if (best === before) break;
  }
  return best;
}

/** Mean over sets of the mean nDCG@10 of their queries. */
function judge(on: readonly JudgedSet[], factors: Vector): number {
  const scoreOf = ({ parts }: Candidate): number => PARTS.reduce((sum, part) => sum + factors[part] * parts[part], 0);
  return meanOf(
    on.map(({ queries }) =>
      meanOf(
        queries.map(({ candidates, grades }) => {
          const ranked = candidates
            .map((one) => ({ id: one.id, score: scoreOf(one) }))
            .sort((a, b) => b.score - a.score);
          return scoreRanking(
            ranked.map(({ id }) => id),
            grades,
          ).ndcg;
        }),
      ),
    ),
  );
}

async function readSet(folder: string): Promise<JudgedSet> {
  const room = mkdtempSync(join(tmpdir(), "treeline-fit-"));
  try {
    const named = (name: string) => ({ file: join(folder, name), text: readFileSync(join(folder, name), "utf8") });
    const reader = await buildAndOpen(join(folder, "docs"), room);
    const grades = await resolveJudged(reader, "qrels.tsv", readJudgements(named("qrels.tsv")), undefined);
    const queries: JudgedQuery[] = [];
    for (const { id, text } of readQueries(named("queries.jsonl"))) {
      const own = grades.get(id);
      if (own === undefined) continue;
      const request = makeSearchRequest(text, { limit: CANDIDATES, excerpts: 0, explain: true });
      const { hits } = await search(new IndexReader(reader.index, "all"), request);
      queries.push({
        grades: own,
        candidates: hits.map((hit) => ({ id: hit.id, parts: toParts(hit.explanation as Explanation) })),
      });
    }
    return { name: basename(folder), queries };
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

/** The parts of a score, each with the shares that it counts with. */
function toParts({ words, wholeTitle, name, pairs, sections, collectionWeight }: Explanation): Vector {
  const ofWords = (field: "body" | "title" | "path" | "description") =>
    words.reduce((sum, word) => sum + word[field], 0);
  const ofSections = (part: "text" | "heading" | "title" | "coverage") =>
    sections.reduce((sum, section) => sum + section.share * section[part], 0);
  const parts: Vector = {
    body: ofWords("body"),
    title: ofWords("title"),
    path: ofWords("path"),
    description: ofWords("description"),
    wholeTitle,
    name,
    pairs,
    text: ofSections("text"),
    heading: ofSections("heading"),
    pageTitle: ofSections("title"),
    coverage: ofSections("coverage"),
  };
  return Object.fromEntries(PARTS.map((part) => [part, collectionWeight * parts[part]])) as Vector;
}
