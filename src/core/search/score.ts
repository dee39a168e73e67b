/**
 * Scores of documents and sections: BM25 per field with its own frequencies and lengths, added up.
 *
 *     document = body + title + path + description + sections × (best section + .4 second + .16 third)
 *     section  = text of its best unit + heading + some of the page's title + a bonus for holding the whole query
 *
 * BM25 after Robertson and Zaragoza (2009), fields summed rather than merged, because each field has a scale of its
 * own. Frequencies and lengths are sums over all shards that the caller may see, so that a search over shards equals a
 * search over one index. Pure: decoded postings in, scores out.
 */
import { indexOfNumber } from "../bytes/sorted-numbers.ts";
import { type LocatedDocument, sectionsOfUnits, unitLength } from "../format/locator.ts";
import { FIRST_TEXT_UNIT, type FieldFrequencies, type PostingList, visitUnits } from "../format/postings.ts";
import { decodeLength, pinAverage } from "../format/quantize.ts";
import type { ShardRoot } from "../format/root.ts";
import {
  coverageShare,
  inverseDocumentFrequency,
  type RankingParameters,
  SECTION_SHARES,
  saturate,
} from "./ranking.ts";

/**
 * Documents whose sections count: the rest are ordered by the document part alone. The same for every page of an
 * answer, or a document could stand on two pages or on none.
 */
const SECTION_CANDIDATES = 200;

/** Statistics of everything the caller may see. */
export interface CorpusStatistics {
  readonly documents: number;
  readonly units: number;
  readonly described: number;
  readonly averages: {
    readonly body: number;
    readonly title: number;
    readonly path: number;
    readonly description: number;
    readonly unit: number;
  };
}

/** One term with its postings in every visible shard (undefined where it does not occur). */
export interface TermPostings {
  readonly term: string;
  /** How often the query holds the term; less than 1 for parts of an identifier that is found whole. */
  readonly count: number;
  readonly lists: readonly (PostingList | undefined)[];
}

/** A shard as scoring sees it. */
export interface ScoredShard {
  readonly locator: readonly (LocatedDocument | undefined)[];
  /** Documents that may be found; undefined = all. */
  readonly selected: Uint8Array | undefined;
  /** Weight of a document's collection. */
  readonly weightOf: (document: LocatedDocument) => number;
}

/** A scored section. */
export interface ScoredSection {
  readonly ordinal: number;
  /** Its best text unit. */
  readonly unit: number;
  readonly score: number;
}

/** A scored document. `shard` counts the visible shards. */
export interface ScoredDocument {
  readonly shard: number;
  readonly document: number;
  readonly score: number;
  /** Best first, at most three. */
  readonly sections: readonly ScoredSection[];
}

interface TermWeights {
  readonly body: number;
  readonly title: number;
  readonly path: number;
  readonly description: number;
  readonly unit: number;
}

/** Sum statistics over shards. Average lengths move in steps of 2^¼, so that a small edit leaves scores as they are. */
export function sumStatistics(shards: readonly ShardRoot[]): CorpusStatistics {
  const sum = (count: (shard: ShardRoot) => number): number => shards.reduce((total, shard) => total + count(shard), 0);
  const documents = sum((shard) => shard.documents);
  const units = sum((shard) => shard.units);
  const described = sum((shard) => shard.described);
  const average = (total: number, count: number): number => pinAverage(total / Math.max(1, count));
  return {
    documents,
    units,
    described,
    averages: {
      body: average(
        sum((shard) => shard.lengths.body),
        documents,
      ),
      title: average(
        sum((shard) => shard.lengths.title),
        documents,
      ),
      path: average(
        sum((shard) => shard.lengths.path),
        documents,
      ),
      description: average(
        sum((shard) => shard.lengths.description),
        described,
      ),
      unit: average(
        sum((shard) => shard.lengths.body),
        units,
      ),
    },
  };
}

/** All that scoring one query needs. */
export interface Scoring {
  readonly terms: readonly TermPostings[];
  readonly shards: readonly ScoredShard[];
  readonly statistics: CorpusStatistics;
  readonly ranking: RankingParameters;
}

/**
 * All documents that hold at least one term, best first; ties by shard and number. The best `SECTION_CANDIDATES` have
 * their sections; `withSections` finds those of others.
 */
export function scoreDocuments(scoring: Scoring): ScoredDocument[] {
  const weights = weighTerms(scoring);
  const found = scoring.shards.flatMap((shard, index) => scoreBodies(scoring, weights, shard, index));
  found.sort(byScore);
  const rescored = found.slice(0, SECTION_CANDIDATES).map((candidate) => {
    const { sections, added } = scoreSections(candidate, scoring, weights);
    return { ...candidate, score: candidate.score + added, sections };
  });
  rescored.sort(byScore);
  return [...rescored, ...found.slice(SECTION_CANDIDATES)];
}

/** Documents of an answer with their best sections, those too that were ordered without them. Scores stay. */
export function withSections(documents: readonly ScoredDocument[], scoring: Scoring): ScoredDocument[] {
  const weights = weighTerms(scoring);
  return documents.map((document) =>
    document.sections.length > 0
      ? document
      : { ...document, sections: scoreSections(document, scoring, weights).sections },
  );
}

function weighTerms({ terms, statistics }: Scoring): TermWeights[] {
  return terms.map((term) => weighTerm(term, statistics));
}

/** Frequencies of a term summed over shards, and from them the weight of a match in each field. */
function weighTerm(term: TermPostings, statistics: CorpusStatistics): TermWeights {
  const total = (field: keyof FieldFrequencies): number =>
    term.lists.reduce((sum, list) => sum + (list?.frequencies[field] ?? 0), 0);
  const { documents, units, described } = statistics;
  return {
    body: term.count * inverseDocumentFrequency(documents, total("body")),
    title: term.count * inverseDocumentFrequency(documents, total("title")),
    path: term.count * inverseDocumentFrequency(documents, total("path")),
    description: term.count * inverseDocumentFrequency(described, total("description")),
    unit: term.count * inverseDocumentFrequency(units, total("units")),
  };
}

function scoreBodies(
  { terms, statistics, ranking }: Scoring,
  weights: readonly TermWeights[],
  shard: ScoredShard,
  shardIndex: number,
): ScoredDocument[] {
  const scores = new Float64Array(shard.locator.length);
  const { averages } = statistics;
  for (const [at, term] of terms.entries()) {
    const list = term.lists[shardIndex];
    if (list === undefined) continue;
    const weight = weights[at] as TermWeights;
    for (let i = 0; i < list.documents.length; i++) {
      const document = list.documents[i] as number;
      const located = shard.locator[document];
      if (located === undefined || shard.selected?.[document] === 0) continue;
      const field = (frequency: number, length: number, average: number): number =>
        saturate(frequency, length / average, ranking.k1, ranking.b);
      let score = 0;
      const body = list.body[i] as number;
      const title = list.title[i] as number;
      const description = list.description[i] as number;
      if (body > 0) score += weight.body * field(body, decodeLength(located.lengths.body), averages.body);
      if (title > 0) score += ranking.title * weight.title * field(title, located.lengths.title, averages.title);
      if (list.path[i] === 1) score += ranking.path * weight.path * field(1, located.lengths.path, averages.path);
      if (description > 0) {
        score +=
          ranking.description *
          weight.description *
          field(description, located.lengths.description, averages.description);
      }
      scores[document] = (scores[document] as number) + score * shard.weightOf(located);
    }
  }
  const found: ScoredDocument[] = [];
  for (const [document, score] of scores.entries())
    if (score > 0) found.push({ shard: shardIndex, document, score, sections: [] });
  return found;
}

/** Best sections of a document, and what they add to its score. */
function scoreSections(
  candidate: ScoredDocument,
  { terms, shards, statistics, ranking }: Scoring,
  weights: readonly TermWeights[],
): { readonly sections: ScoredSection[]; readonly added: number } {
  const shard = shards[candidate.shard] as ScoredShard;
  const located = shard.locator[candidate.document] as LocatedDocument;
  const ordinals = sectionsOfUnits(located);
  const sections = new Map<number, SectionParts>();
  let pageTitle = 0;
  for (const [at, term] of terms.entries()) {
    const list = term.lists[candidate.shard];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, candidate.document);
    if (list === undefined || index < 0) continue;
    const weight = weights[at] as TermWeights;
    const title = list.title[index] as number;
    if (title > 0) {
      pageTitle +=
        weight.title * saturate(title, located.lengths.title / statistics.averages.title, ranking.k1, ranking.b);
    }
    visitUnits(list, index, (unit, frequency, heading) => {
      if (unit < FIRST_TEXT_UNIT) return;
      const length = unitLength(located, unit) / statistics.averages.unit;
      const text = weight.unit * saturate(frequency, length, ranking.k1, ranking.b);
      const parts = partsOf(sections, ordinals[unit - FIRST_TEXT_UNIT] ?? 0);
      parts.units.set(unit, (parts.units.get(unit) ?? 0) + text);
      if (heading) parts.heading += weight.unit;
      if (parts.lastTerm !== at) parts.covered += weight.unit;
      parts.lastTerm = at;
    });
  }
  const whole = weights.reduce((sum, weight) => sum + weight.unit, 0);
  const carried = ranking.pageTitle * pageTitle;
  const scored = [...sections].map(([ordinal, parts]) => scoreSection(ordinal, parts, whole, carried, ranking));
  // Found by title, path or description alone: the root section stands for the page.
  if (scored.length === 0) scored.push({ ordinal: 0, unit: FIRST_TEXT_UNIT, score: carried });
  const best = scored.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal).slice(0, SECTION_SHARES.length);
  const added = best.reduce((sum, section, rank) => sum + (SECTION_SHARES[rank] ?? 0) * section.score, 0);
  return { sections: best, added: ranking.sections * added * shard.weightOf(located) };
}

/** What a section's score is made of. */
interface SectionParts {
  /** Text score of each unit. */
  readonly units: Map<number, number>;
  heading: number;
  /** Weight of the query's terms that the section holds. */
  covered: number;
  /** Term counted last in `covered`: terms come one after another, each with all its units. */
  lastTerm: number;
}

function partsOf(sections: Map<number, SectionParts>, ordinal: number): SectionParts {
  let parts = sections.get(ordinal);
  if (parts === undefined) {
    parts = { units: new Map(), heading: 0, covered: 0, lastTerm: -1 };
    sections.set(ordinal, parts);
  }
  return parts;
}

function scoreSection(
  ordinal: number,
  parts: SectionParts,
  whole: number,
  carried: number,
  ranking: RankingParameters,
): ScoredSection {
  let unit = FIRST_TEXT_UNIT;
  let text = -1;
  for (const [candidate, score] of parts.units) {
    if (score > text) {
      text = score;
      unit = candidate;
    }
  }
  const coverage =
    whole *
    (ranking.coverage * coverageShare(parts.covered / whole) +
      ranking.headingCoverage * coverageShare(parts.heading / whole));
  return { ordinal, unit, score: text + ranking.heading * parts.heading + carried + coverage };
}

function byScore(a: ScoredDocument, b: ScoredDocument): number {
  return b.score - a.score || a.shard - b.shard || a.document - b.document;
}
