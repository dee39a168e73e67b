/**
 * Phrases in the text of a document that was read, section by section.
 */
import { utf8Length } from "../bytes/utf8-length.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { IndexReader } from "../index/index-reader.ts";
import type { Analyzer } from "../text/analyze.ts";
import type { OpenRequirement, SectionRead } from "./open-requirements.ts";
import { makePhraseTest, type PhraseTest } from "./phrase-in-text.ts";
import type { Phrase } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";
import { analyzerOfDocument } from "./search-languages.ts";

/** A block that was read. */
export interface ReadSection extends SectionRead {
  readonly block: Pick<TextBlock, "title" | "text"> | undefined;
}

/** Sources of a section as far as they were read: pieces that follow one another joined, others apart. */
type SectionTexts = ReadonlyMap<number, readonly string[]>;

function joinSections(reads: readonly ReadSection[]): SectionTexts {
  const texts = new Map<number, string[]>();
  const inOrder = [...reads].sort((a, b) => a.read.unit - b.read.unit);
  let next = -1;
  for (const { ordinal, block, read } of inOrder) {
    const text = block?.text ?? "";
    const known = texts.get(ordinal);
    if (known === undefined) texts.set(ordinal, [text]);
    else if (read.unit !== next) known.push(text);
    else known.push(`${known.pop() ?? ""}${text}`);
    next = read.unit + 1;
  }
  return texts;
}

/** Sections with a phrase that is asked for, or undefined where what was read of a document does not fulfil a requirement. */
export function checkBlocks(
  reader: IndexReader,
  { scored, open }: { readonly scored: ScoredDocument; readonly open: readonly OpenRequirement[] },
  blocks: readonly ReadSection[],
  tests: PhraseTests,
): number[] | undefined {
  const texts = joinSections(blocks);
  for (const sources of texts.values()) for (const source of sources) reader.countScanned(utf8Length(source));
  const analyzer = analyzerOfDocument(reader, reader.shards[scored.shard]?.index ?? 0, scored.document);
  const title = blocks[0]?.block?.title ?? "";
  return checkTexts(open, texts, title, (phrase) => tests.of(phrase, analyzer));
}

/** Tests of the phrases of a search. A class, because they remember what they met. */
export class PhraseTests {
  readonly #tests = new Map<Phrase, Map<Analyzer, PhraseTest>>();

  of(phrase: Phrase, analyzer: Analyzer): PhraseTest {
    const own = this.#tests.get(phrase) ?? new Map<Analyzer, PhraseTest>();
    this.#tests.set(phrase, own);
    const test = own.get(analyzer) ?? makePhraseTest(phrase.terms, analyzer);
    own.set(analyzer, test);
    return test;
  }
}

function checkTexts(
  open: readonly OpenRequirement[],
  texts: SectionTexts,
  title: string,
  testOf: (phrase: Phrase) => PhraseTest,
): number[] | undefined {
  const sections = new Set<number>();
  for (const { requirement } of open) {
    const { anyOf, negated } = requirement;
    const holding = [...texts].filter(([ordinal, sources]) =>
      anyOf.some((phrase) => sources.some((source) => testOf(phrase)(source, ordinal === 0 ? title : undefined))),
    );
    if (negated ? holding.length > 0 : holding.length === 0) return undefined;
    if (!negated) for (const [ordinal] of holding) sections.add(ordinal);
  }
  return [...sections].sort((a, b) => a - b);
}
