/**
 * Names that are concepts however often they come: terms of the glossary, acronyms that pages explain, exported symbols. A
 * synonym and an expansion stand for the term and the acronym. Pure.
 */
import { conceptKey } from "../../src/core/taxonomy/concept-key.ts";
import type { Analyzer } from "../../src/core/text/analyze.ts";
import { compareNames } from "../../src/core/text/compare-names.ts";
import type { GlossaryEntry } from "../config/glossary.ts";
import type { Acronym } from "./acronyms.ts";

/** What a document names. */
export interface NamedSource {
  readonly acronyms: readonly Acronym[];
  readonly analyzer: Analyzer;
  /** Of a source file: its exported symbols, those that most leads to first. */
  readonly symbols: readonly { readonly name: string; readonly section: number }[];
}

/** Two acronyms of one expansion: a name has one key, so the expansion leads to one of them. */
export interface SharedExpansion {
  readonly expansion: string;
  /** Found by the expansion: the acronym that more documents explain. */
  readonly winner: string;
  readonly other: string;
  /** Index of the first source that explains `other`. */
  readonly source: number;
}

/** An acronym as the sources explain it. */
interface ExplainedAcronym {
  readonly acronym: string;
  readonly source: number;
  readonly expansions: Map<string, { readonly text: string; readonly count: number }>;
}

/** Exported symbols of a source file that count. */
const MAX_SYMBOLS = 5;
const MIN_SYMBOL_LENGTH = 3;

/** Symbols of a document that can be concepts, with their keys, in their order. */
export function keysOfSymbols({ symbols, analyzer }: NamedSource): { key: string; name: string; section: number }[] {
  return symbols
    .slice(0, MAX_SYMBOLS)
    .filter(({ name }) => name.length >= MIN_SYMBOL_LENGTH)
    .map(({ name, section }) => ({ key: conceptKey(name, analyzer), name, section }))
    .filter(({ key }) => key !== "");
}

/** Names that are concepts whatever their frequency, by their keys. */
export class FixedNames {
  /** From the key of a synonym or an expansion to that of the term or acronym. */
  readonly #canonical = new Map<string, string>();
  readonly #terms = new Map<string, string>();
  readonly #acronyms = new Map<
    string,
    { readonly acronym: string; readonly expansion: string; readonly alias: string }
  >();
  readonly symbols = new Map<string, string>();
  readonly shared: SharedExpansion[] = [];

  constructor(sources: readonly NamedSource[], glossary: readonly GlossaryEntry[]) {
    const analyzers = [...new Set(sources.map(({ analyzer }) => analyzer))];
    for (const analyzer of analyzers) {
      for (const { term, synonyms } of glossary) {
        const key = conceptKey(term, analyzer);
        if (key === "") continue;
        if (!this.#terms.has(key)) this.#terms.set(key, term.trim().replace(/\s+/g, " "));
        for (const synonym of synonyms) this.#alias(conceptKey(synonym, analyzer), key);
      }
    }
    this.#addAcronyms(sources);
    for (const { key, name } of sources.flatMap(keysOfSymbols)) {
      if (!this.symbols.has(key)) this.symbols.set(key, name);
    }
  }

  /** Each acronym with the expansion that most documents give; of those that share one, the best explained comes first. */
  #addAcronyms(sources: readonly NamedSource[]): void {
    const explained = [...collectAcronyms(sources)].flatMap(([key, { acronym, source, expansions }]) => {
      const [best] = [...expansions].sort(([a, one], [b, other]) => other.count - one.count || compareNames(a, b));
      return best === undefined ? [] : [{ key, acronym, source, alias: best[0], ...best[1] }];
    });
    explained.sort((a, b) => b.count - a.count || compareNames(a.key, b.key));
    for (const { key, acronym, source, alias, text } of explained) {
      const isOwn = this.#alias(alias, key);
      this.#acronyms.set(key, { acronym, expansion: text, alias: isOwn ? alias : "" });
      const winner = this.#acronyms.get(this.#canonical.get(alias) ?? "");
      if (!isOwn && winner !== undefined) {
        this.shared.push({ expansion: text, winner: winner.acronym, other: acronym, source });
      }
    }
  }

  /** @returns Whether the alias stands for the key: the first key that claims an alias has it. */
  #alias(alias: string, key: string): boolean {
    if (alias === "" || alias === key || this.#canonical.has(alias) || this.#terms.has(alias)) return false;
    this.#canonical.set(alias, key);
    return true;
  }

  /** The key that a key stands for. */
  canonical(key: string): string {
    return this.#canonical.get(key) ?? key;
  }

  has(key: string): boolean {
    return this.#terms.has(key) || this.#acronyms.has(key) || this.symbols.has(key);
  }

  isTerm(key: string): boolean {
    return this.#terms.has(key);
  }

  acronym(key: string): { readonly acronym: string; readonly expansion: string; readonly alias: string } | undefined {
    return this.#acronyms.get(key);
  }

  term(key: string): string | undefined {
    return this.#terms.get(key);
  }
}

/** Acronyms of all sources by their keys. */
function collectAcronyms(sources: readonly NamedSource[]): Map<string, ExplainedAcronym> {
  const found = new Map<string, ExplainedAcronym>();
  for (const [source, { acronyms, analyzer }] of sources.entries()) {
    for (const { acronym, expansion } of acronyms) {
      const [key, long] = [conceptKey(acronym, analyzer), conceptKey(expansion, analyzer)];
      if (key === "" || long === "") continue;
      const own = found.get(key) ?? { acronym, source, expansions: new Map() };
      found.set(key, own);
      const known = own.expansions.get(long) ?? { text: expansion, count: 0 };
      own.expansions.set(long, {
        text: compareNames(expansion, known.text) < 0 ? expansion : known.text,
        count: known.count + 1,
      });
    }
  }
  return found;
}
