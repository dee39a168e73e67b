/**
 * Glossary: terms and other words for the same thing, as a maintainer wrote them down.
 *
 * `glossary.json` beside the configuration, or the file that it names. Two forms: `{"terms": [{"term", "synonyms",
 * "definition"}]}`, or short `{"k8s": ["kubernetes"]}`. `schemas/glossary.schema.json` says what may stand in both;
 * everything that is wrong is reported at once, by line and column, like mistakes in the configuration.
 *
 * I/O: reads the file.
 */

import { findNodeAtLocation, type Node } from "jsonc-parser";
import glossarySchema from "../../schemas/glossary.schema.json" with { type: "json" };
import { InputError } from "../../src/core/errors.ts";
import { countWords } from "../../src/core/text/analyze.ts";
import { quoteValue } from "../../src/core/text/nearest.ts";
import { CONFIG_FILE_NAME, type ConfigProblem, createConfigError } from "./config-problems.ts";
import { checkValue, type SchemaNode } from "./config-schema.ts";
import { parseConfigSyntax } from "./config-syntax.ts";
import { readSettingsFile } from "./settings-file.ts";

/** The file that is read where the configuration names none. */
const GLOSSARY_FILE_NAME = "glossary.json";

/** Most entries of a glossary; the schema says the same of its long form. */
const MAX_ENTRIES = 1000;

const [LONG_FORM, SHORT_FORM] = glossarySchema.anyOf as unknown as [SchemaNode, SchemaNode];

/** A term and what else it is called. */
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
export function parseGlossary(source: string, file: string = GLOSSARY_FILE_NAME): GlossaryEntry[] {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  const tree = parseConfigSyntax(text, file);
  const problems: ConfigProblem[] = [];
  const long = isLongForm(tree);
  const value = checkValue(tree, long ? LONG_FORM : SHORT_FORM, "glossary", problems);
  const nodes = long ? listEntries(tree) : listProperties(tree);
  checkTerms(nodes, long, problems);
  if (!long && nodes.length > MAX_ENTRIES) {
    const message = `glossary has ${nodes.length} entries, at most ${MAX_ENTRIES} are allowed`;
    problems.push({ offset: tree.offset, message });
  }
  if (problems.length > 0) throw createConfigError(text, problems, file);
  // `checkValue` has made the value what the schema says.
  if (long) {
    const { terms } = value as { readonly terms: readonly GlossaryEntry[] };
    return terms.map(({ term, synonyms }) => ({ term, synonyms }));
  }
  return Object.entries(value as Record<string, string | readonly string[]>)
    .filter(([term]) => term !== "$schema")
    .map(([term, synonyms]) => ({ term, synonyms: typeof synonyms === "string" ? [synonyms] : synonyms }));
}

/** A list of anything but texts under `terms` is meant as entries; of texts, they are synonyms of the word "terms". */
function isLongForm(tree: Node): boolean {
  const terms = tree.type === "object" ? findNodeAtLocation(tree, ["terms"]) : undefined;
  return terms?.type === "array" && (terms.children ?? []).every(({ type }) => type !== "string");
}

/** What a term and its synonyms are written as. */
interface EntryNodes {
  readonly term: Node | undefined;
  readonly synonyms: Node | undefined;
}

function listEntries(tree: Node): EntryNodes[] {
  const entries = findNodeAtLocation(tree, ["terms"])?.children ?? [];
  return entries
    .filter(({ type }) => type === "object")
    .map((entry) => ({
      term: findNodeAtLocation(entry, ["term"]),
      synonyms: findNodeAtLocation(entry, ["synonyms"]),
    }));
}

function listProperties(tree: Node): EntryNodes[] {
  const properties = tree.type === "object" ? (tree.children ?? []) : [];
  return properties
    .map(({ children: [term, synonyms] = [] }) => ({ term, synonyms }))
    .filter(({ term }) => term?.value !== "$schema");
}

/** What a schema cannot say: terms differ, and all texts hold something that can be searched for. */
function checkTerms(entries: readonly EntryNodes[], long: boolean, problems: ConfigProblem[]): void {
  const seen = new Map<string, unknown>();
  for (const { term, synonyms } of entries) {
    for (const node of [term, synonyms, ...(synonyms?.children ?? [])]) {
      // The schema reports empty texts, but not the empty name of a property.
      const isReported = node?.value === "" && (long || node !== term);
      if (node?.type === "string" && !isReported && countWords(String(node.value)) === 0) {
        problems.push({ offset: node.offset, message: `${quoteValue(node.value)} holds no letter and no digit` });
      }
    }
    if (term?.type !== "string") continue;
    const key = String(term.value).trim().toLowerCase();
    // A key that is repeated letter by letter has been reported already.
    if (seen.has(key) && (long || seen.get(key) !== term.value)) {
      problems.push({ offset: term.offset, message: `${quoteValue(term.value)} has two entries` });
    }
    seen.set(key, term.value);
  }
}
