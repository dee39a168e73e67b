/**
 * Glossary: terms and other words for the same thing, as a maintainer wrote them down.
 *
 * `glossary.json` beside the configuration, or the file that it names. Two forms: `{"terms": [{"term", "synonyms",
 * "definition"}]}`, or short `{"k8s": ["kubernetes"]}`. `schemas/glossary.schema.json` is made of the schemas here.
 *
 * I/O: reads the file.
 */

import { findNodeAtLocation, type Node } from "jsonc-parser";
import { z } from "zod";
import { foldCategory } from "../../src/core/docs/categories.ts";
import { InputError } from "../../src/core/errors.ts";
import { CATEGORY_SOURCES, type CategorySource } from "../../src/core/format/topics.ts";
import { countWords } from "../../src/core/text/analyze.ts";
import { quoteValue } from "../../src/core/text/nearest.ts";
import { ABOUT_KEY, CONFIG_FILE_NAME, checkSettings, isWhole, parseSyntax, readSettingsFile } from "./settings-file.ts";

/** The file that is read where the configuration names none. */
const GLOSSARY_FILE_NAME = "glossary.json";

const MAX_ENTRIES = 1000;
const MAX_SYNONYMS = 7;

/** A text that can be searched for. */
const words = z.string().min(1).max(200).superRefine(checkWords);
const synonyms = z.array(words).max(MAX_SYNONYMS).describe("Words for the same thing.");
const address = z.string().optional().describe("Address of this schema, for editors. Has no effect on the index.");

const LONG_FORM = z
  .strictObject({
    $schema: address,
    terms: z
      .array(
        z.strictObject({
          term: words.describe("A word or several."),
          synonyms,
          definition: z.string().max(2000).optional().describe("What the term means, for readers of the file."),
        }),
      )
      .max(MAX_ENTRIES)
      .superRefine(checkEntries, { when: isWhole })
      .describe("The entries."),
  })
  .meta({ title: "Entries with definitions" });

const SHORT_FORM = z
  .object({ $schema: address })
  .catchall(z.union([synonyms, words]).describe("Words for the same thing."))
  .superRefine(checkKeys, { when: isWhole })
  .meta({ title: "Terms with their synonyms" });

/** Both forms, for editors. */
export const GLOSSARY = z.union([LONG_FORM, SHORT_FORM]).meta({
  title: GLOSSARY_FILE_NAME,
  description:
    "Terms with other words for the same thing; a search for one finds the others. Comments and trailing commas are allowed.",
});

export interface GlossaryEntry {
  readonly term: string;
  readonly synonyms: readonly string[];
}

/**
 * The entries of the glossary in `dir`, in their order; none where there is no `glossary.json`.
 *
 * @param name File as the configuration names it, or `""`.
 * @throws {InputError} with one line `file:line:column: message` for every problem, or when a named file is missing.
 */
export async function loadGlossary(dir: string, name: string): Promise<GlossaryEntry[]> {
  const file = name === "" ? GLOSSARY_FILE_NAME : name;
  const text = await readSettingsFile(dir, file);
  if (text !== undefined) return parseGlossary(text, file);
  if (name === "") return [];
  throw new InputError(`the glossary ${JSON.stringify(name)}, which ${CONFIG_FILE_NAME} names, does not exist`);
}

/**
 * The entries in the text of a glossary; `file` is how messages name it.
 *
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export function parseGlossary(text: string, file: string = GLOSSARY_FILE_NAME): GlossaryEntry[] {
  const syntax = parseSyntax(text, file);
  if (isLongForm(syntax.tree)) {
    const { terms } = checkSettings(syntax, LONG_FORM, file, "glossary").value;
    return terms.map(({ term, synonyms }) => ({ term, synonyms }));
  }
  const { $schema: _, ...entries } = checkSettings(syntax, SHORT_FORM, file, "glossary").value;
  return Object.entries(entries).map(([term, synonyms]) => ({ term, synonyms: [synonyms].flat() }));
}

/** A list of anything but texts under `terms` is meant as entries; of texts, they are synonyms of the word "terms". */
function isLongForm(tree: Node): boolean {
  const terms = tree.type === "object" ? findNodeAtLocation(tree, ["terms"]) : undefined;
  return terms?.type === "array" && (terms.children ?? []).every(({ type }) => type !== "string");
}

function checkWords(text: string, context: z.RefinementCtx): void {
  if (countWords(text) > 0) return;
  context.addIssue({ code: "custom", message: `${quoteValue(text)} holds no letter and no digit` });
}

function checkEntries(entries: readonly { readonly term: string }[], context: z.RefinementCtx): void {
  findRepeated(entries.map((entry) => entry?.term)).forEach((term, at) => {
    context.addIssue({ code: "custom", path: [at, "term"], message: `${quoteValue(term)} has two entries` });
  });
}

/** Keys are terms here: they hold words, and differ in more than their case. */
function checkKeys(entries: object, context: z.RefinementCtx): void {
  const terms = Object.keys(entries).filter((key) => key !== "$schema");
  const report = (key: string, fault: string): void =>
    context.addIssue({ code: "custom", path: [key], params: ABOUT_KEY, message: `${quoteValue(key)} ${fault}` });
  for (const key of terms) if (countWords(key) === 0) report(key, "holds no letter and no digit");
  for (const key of findRepeated(terms).values()) report(key, "has two entries");
  if (terms.length <= MAX_ENTRIES) return;
  context.addIssue({ code: "custom", message: `has ${terms.length} entries, at most ${MAX_ENTRIES} are allowed` });
}

/** Terms that an earlier one equals but for case and space around it, by their places. */
function findRepeated(terms: readonly unknown[]): ReadonlyMap<number, string> {
  const seen = new Set<string>();
  const repeated = new Map<number, string>();
  for (const [at, term] of terms.entries()) {
    if (typeof term !== "string") continue;
    const key = term.trim().toLowerCase();
    if (seen.has(key)) repeated.set(at, term);
    seen.add(key);
  }
  return repeated;
}

/*
 * Categories that a maintainer wrote down: `categories.json` beside the configuration, or the file that it names.
 *
 * `schemas/categories.schema.json` is made of the schema here. What does not fit is an error, all of it at once, by line and
 * column; what fits and cannot be followed (a parent that does not exist, a cycle, an alias of two) is a diagnostic of the
 * build (`topics/collect-categories.ts`).
 *
 * I/O: reads the file.
 */

/** The file that is read where the configuration names none. */
const CATEGORIES_FILE_NAME = "categories.json";

const MAX_NAME_LENGTH = 100;
const MAX_NAMES = 20;

const anyName = z.string().min(1).max(MAX_NAME_LENGTH);
/** A name that holds something that can be compared. */
const name = anyName.superRefine((text, context) => {
  if (foldCategory(text) !== "") return;
  context.addIssue({ code: "custom", message: `${quoteValue(text)} holds no letter, digit or sign` });
});

const CATEGORY = z.strictObject({
  id: name.optional().describe("What stays when the name changes. Without it, the name in lower case with hyphens."),
  name: name.describe(
    "Name as readers see it. Case, spaces, hyphens and underscores do not count where names are compared.",
  ),
  aliases: z.array(name).max(MAX_NAMES).default([]).describe("Other names for it."),
  description: z.string().max(1000).default("").describe("What belongs into it, in a sentence."),
  parent: z.string().max(MAX_NAME_LENGTH).default("").describe("Name, alias or id of the category above it."),
  related: z.array(anyName).max(MAX_NAMES).default([]).describe("Names, aliases or ids of categories near it."),
});

export const CATEGORIES = z
  .strictObject({
    $schema: z.string().optional().describe("Address of this schema, for editors. Has no effect on the index."),
    categories: z.array(CATEGORY).max(2000).describe("The categories."),
  })
  .meta({
    title: CATEGORIES_FILE_NAME,
    description:
      "Categories of a corpus: what they are called, and which stands above which. Documents come into them by what their frontmatter, folder or package is called. Comments and trailing commas are allowed.",
  });

export interface WrittenCategory extends Readonly<z.output<typeof CATEGORY>> {
  readonly line: number;
}

export interface WrittenCategories {
  /** Sources that make categories. */
  readonly from: readonly CategorySource[];
  /** File that they stand in, as diagnostics name it. */
  readonly file: string;
  readonly categories: readonly WrittenCategory[];
}

/** A corpus whose categories nobody wrote down. */
export const NO_CATEGORIES: WrittenCategories = {
  from: CATEGORY_SOURCES,
  file: CATEGORIES_FILE_NAME,
  categories: [],
};

/**
 * The categories in `dir`, in their order; none where there is no `categories.json`.
 *
 * @param name File as the configuration names it, or `""`.
 * @param from Sources that make categories.
 * @throws {InputError} with one line `file:line:column: message` for every problem, or when a named file is missing.
 */
export async function loadCategories(
  dir: string,
  name: string,
  from: readonly CategorySource[] = CATEGORY_SOURCES,
): Promise<WrittenCategories> {
  if (!from.includes("file")) return { ...NO_CATEGORIES, from };
  const file = name === "" ? CATEGORIES_FILE_NAME : name;
  const text = await readSettingsFile(dir, file);
  if (text !== undefined) return { from, file, categories: parseCategories(text, file) };
  if (name === "") return { ...NO_CATEGORIES, from };
  throw new InputError(`the categories ${JSON.stringify(name)}, which ${CONFIG_FILE_NAME} names, do not exist`);
}

/**
 * The categories in the text of a file; `file` is how messages name it.
 *
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export function parseCategories(text: string, file: string = CATEGORIES_FILE_NAME): WrittenCategory[] {
  const { value, lineOf } = checkSettings(parseSyntax(text, file), CATEGORIES, file, "categories");
  return value.categories.map((category, at) => ({ ...category, line: lineOf(["categories", at]) }));
}
