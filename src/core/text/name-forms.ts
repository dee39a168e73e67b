/**
 * Names of documents as keys: titles, files with their folders, aliases. A name is its terms in order, stop words among them;
 * signs, cases and endings do not count, so `pattern-router.md`, `PatternRouter` and "Pattern routers" are one.
 */
import { type Analyzer, countsAsWord, visitTerms } from "./analyze.ts";
import { codeLanguageOf } from "./code-languages.ts";

/** More words are a sentence. */
const MAX_NAME_WORDS = 8;
/** Longer texts are not looked at. */
const MAX_NAME_CHARACTERS = 400;
/** Stands before the terms of a name, behind the first of them that tells something. */
const NAME_MARK = "\0\u0002";

/** Whether a key of the table `terms` is that of a name. */
export function isNameKey(key: string): boolean {
  return key.includes(NAME_MARK);
}

/** What stands behind a name and says of which kind the thing is: endings of pages and data, and words that people leave out. */
const KINDS = new Set(
  `adoc api apis asciidoc attribute class command component components css doc docs element error extension function functions guide
  hook htm html ipynb json lib library md mdx method module object option options overview package page plugin property
  reference rst rule toml txt type utility yaml yml`.split(/\s+/),
);

/** Whether a word behind a name says of which kind the thing is. Endings of source files do. */
function isKind(word: string): boolean {
  return KINDS.has(word) || codeLanguageOf(`name.${word}`) !== undefined;
}

interface NameWord {
  readonly term: string;
  readonly word: string;
  readonly stop: boolean;
}

/** The words of a name; none where it is no name. */
function readName(text: string, analyzer: Analyzer): NameWord[] {
  const words: NameWord[] = [];
  if (text.length > MAX_NAME_CHARACTERS) return words;
  visitTerms(
    text,
    (term, kind, stop, _start, _end, word) => countsAsWord(kind) && words.push({ term, word, stop }),
    analyzer,
  );
  return words.length > MAX_NAME_WORDS ? [] : words;
}

function keyOfWords(words: readonly NameWord[]): string {
  const anchor = words.find(({ stop }) => !stop) ?? words[0];
  return `${anchor?.term}${NAME_MARK}${words.map(({ term }) => term).join(" ")}`;
}

/** Keys of a name in a language, its own and the one without its kind; a missing one is undefined. */
export function keysOfName(text: string, analyzer: Analyzer): { readonly whole?: string; readonly bare?: string } {
  const words = readName(text, analyzer);
  if (words.length === 0) return {};
  const whole = keyOfWords(words);
  let bare = words;
  while (bare.length > 1 && isKind(bare.at(-1)?.word ?? "")) bare = bare.slice(0, -1);
  return bare.length === words.length ? { whole } : { whole, bare: keyOfWords(bare) };
}

/** A name that a query may be, and how surely. */
export interface NameForm {
  /** See `keysOfName`. */
  readonly key: string;
  /** 1 for the query itself. */
  readonly grade: number;
}

/** What counts less: a name without the kind that the query or the document names, the end of an address, its last part. */
export const BARE_NAME = 0.8;
const ADDRESS_END = 0.75;
const LAST_PART = 0.5;

/** The names that a query may be, each once with its best grade. */
export function namesOfQuery(text: string, analyzers: readonly Analyzer[]): NameForm[] {
  const grades = new Map<string, number>();
  const add = (key: string | undefined, grade: number): void => {
    if (key !== undefined) grades.set(key, Math.max(grade, grades.get(key) ?? 0));
  };
  const address = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/\s]*\//i, "")
    .replace(/[?#].*$/, "");
  const isAddress = address.includes("/") && !/\s/.test(address);
  for (const analyzer of analyzers) {
    const forms: [string, number][] = [[text, 1]];
    if (!/\s/.test(address)) forms.push([address.replace(/(?<=[^/])\.[a-z0-9]{1,10}$/i, ""), 1]);
    if (isAddress) {
      const parts = address.split("/").filter(Boolean);
      forms.push([parts.slice(-2).join("/"), ADDRESS_END], [parts.at(-1) ?? "", LAST_PART]);
    }
    for (const [form, grade] of forms) {
      const { whole, bare } = keysOfName(form, analyzer);
      add(whole, grade);
      add(bare, grade * BARE_NAME);
    }
  }
  return [...grades].map(([key, grade]) => ({ key, grade }));
}

/** Files that are called after their folder. */
const FOLDER_FILE = /^_?(?:index|readme|mod|page|main|__init__)$/i;

/** Names of a document beside its title: its file, alone and in its folder, and the ends of other addresses of it. */
export function listNames(path: string, aliases: readonly string[]): string[] {
  return [path, ...aliases].flatMap((address) => {
    const parts = address
      .replace(/[?#].*$/, "")
      .split("/")
      .filter(Boolean)
      .map((part, at, all) => (at === all.length - 1 ? part.replace(/\.[a-z0-9]+$/i, "") : part))
      .map((part) => part.replace(/^\d+[-_. ]+(?=.)/, ""));
    const named = FOLDER_FILE.test(parts.at(-1) ?? "") && parts.length > 1 ? parts.slice(0, -1) : parts;
    const last = named.at(-1) ?? "";
    return named.length > 1 ? [last, named.slice(-2).join("/")] : [last];
  });
}
