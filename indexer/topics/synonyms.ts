/**
 * Synonyms of a shard: phrases that stand for the same thing, out of the glossary and the acronyms of its documents.
 *
 * Every phrase of a set stands for every other one of it, but sets are not joined: one acronym can have two expansions
 * that have nothing to do with each other. Phrases are lists of terms as a query would read them
 * (`src/core/text/analyze-query.ts`), in each language that the shard's collections have.
 *
 * The sets depend on what documents hold, not on their order. Pure.
 */
import { KEY_SEPARATOR } from "../../src/core/bytes/key.ts";
import { readSynonymPhrase } from "../../src/core/text/analyze-query.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import type { Language } from "../../src/core/text/language.ts";
import { compareNames } from "../../src/core/text/names.ts";
import type { GlossaryEntry } from "../config/glossary.ts";
import type { Acronym } from "./acronyms.ts";

/** Phrases for the same thing, two at least, all different. A phrase is its terms in order, one at least. */
export interface SynonymSet {
  readonly members: readonly (readonly string[])[];
}

/** What a document adds. */
export interface AcronymSource {
  /** Language of its collection. */
  readonly language: Language;
  readonly acronyms: readonly Acronym[];
}

/** Sets of a shard: the glossary first, then acronyms by the number of documents that explain them. */
const MAX_SETS = 2_000;
/** A glossary entry with the most synonyms that it may have. */
const MAX_MEMBERS = 8;
/** An acronym that stands for more things stands for nothing in particular. */
const MAX_EXPANSIONS = 3;
/** A phrase is part of a key, which has at most 1,024 bytes; a UTF-16 unit is at most three of them. */
const MAX_PHRASE_TERMS = 8;
const MAX_PHRASE_UNITS = 320;

/**
 * The sets of an access group's shard. Only the group's own documents are looked at: what another group calls a thing is
 * not for its readers.
 *
 * @param collections All collections, in the order that documents count them by.
 */
export function makeGroupSynonyms(
  group: string,
  collections: readonly { readonly access: string; readonly language: Language }[],
  documents: readonly { readonly collection: number; readonly acronyms: readonly Acronym[] }[],
  glossary: readonly GlossaryEntry[],
): SynonymSet[] {
  const sources = documents.flatMap(({ collection, acronyms }): AcronymSource[] => {
    const { access, language } = collections[collection] as { access: string; language: Language };
    return access === group ? [{ language, acronyms }] : [];
  });
  return makeSynonyms(glossary, sources);
}

/** The sets of a shard with these documents; the most trusted and most frequent first. */
export function makeSynonyms(glossary: readonly GlossaryEntry[], documents: readonly AcronymSource[]): SynonymSet[] {
  const languages = [...new Set(documents.map(({ language }) => language))].sort();
  const sets = new Map<string, SynonymSet>();
  const add = (texts: readonly string[], language: Language): void => {
    const set = makeSet(texts, language);
    if (set === undefined || sets.size >= MAX_SETS) return;
    const key = set.members.map(keyOfPhrase).sort().join(`${KEY_SEPARATOR}${KEY_SEPARATOR}`);
    if (!sets.has(key)) sets.set(key, set);
  };
  for (const { term, synonyms } of glossary) {
    for (const language of languages) add([term, ...synonyms], language);
  }
  for (const { acronym, expansion, language } of rankAcronyms(documents)) add([acronym, expansion], language);
  return [...sets.values()];
}

function makeSet(texts: readonly string[], language: Language): SynonymSet | undefined {
  const members = new Map<string, readonly string[]>();
  for (const text of texts) {
    const phrase = readSynonymPhrase(text, analyzerOf(language)).map(({ term }) => term);
    const units = phrase.reduce((sum, term) => sum + term.length, 0);
    if (phrase.length === 0 || phrase.length > MAX_PHRASE_TERMS || units > MAX_PHRASE_UNITS) continue;
    if (members.size < MAX_MEMBERS) members.set(keyOfPhrase(phrase), phrase);
  }
  return members.size < 2 ? undefined : { members: [...members.values()] };
}

function keyOfPhrase(phrase: readonly string[]): string {
  return phrase.join(KEY_SEPARATOR);
}

interface CountedExpansion extends Acronym {
  readonly language: Language;
  documents: number;
}

/** Acronyms with their most frequent expansions, those that most documents explain first. */
function rankAcronyms(documents: readonly AcronymSource[]): CountedExpansion[] {
  const byAcronym = new Map<string, Map<string, CountedExpansion>>();
  for (const { language, acronyms } of documents) {
    // A document that spells an expansion in two ways counts once.
    const seen = new Set<CountedExpansion>();
    for (const found of acronyms) {
      const analyzer = analyzerOf(language);
      const phrase = keyOfPhrase(readSynonymPhrase(found.expansion, analyzer).map(({ term }) => term));
      const expansions = getOrMake(byAcronym, `${language}${KEY_SEPARATOR}${found.acronym}`, () => new Map());
      const counted = getOrMake(expansions, phrase, () => ({ ...found, language, documents: 0 }));
      if (!seen.has(counted)) counted.documents++;
      seen.add(counted);
    }
  }
  const order = ([a, one]: [string, CountedExpansion], [b, other]: [string, CountedExpansion]): number =>
    other.documents - one.documents || compareNames(a, b);
  return [...byAcronym]
    .flatMap(([acronym, expansions]) =>
      [...expansions]
        .sort(order)
        .slice(0, MAX_EXPANSIONS)
        .map(([phrase, counted]): [string, CountedExpansion] => [`${acronym}${KEY_SEPARATOR}${phrase}`, counted]),
    )
    .sort(order)
    .map(([, counted]) => counted);
}

function getOrMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
