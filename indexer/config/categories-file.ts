/**
 * Categories that a maintainer wrote down: `categories.json` beside the configuration, or the file that it names.
 *
 * `schemas/categories.schema.json` says what may stand in it. What does not fit is an error, all of it at once, by line and
 * column; what fits and cannot be followed (a parent that does not exist, a cycle, an alias of two) is a diagnostic of the
 * build (`taxonomy/collect-categories.ts`).
 *
 * I/O: reads the file.
 */

import { findNodeAtLocation, type Node } from "jsonc-parser";
import categoriesSchema from "../../schemas/categories.schema.json" with { type: "json" };
import { foldCategory } from "../../src/core/docs/categories.ts";
import { InputError } from "../../src/core/errors.ts";
import { quoteValue } from "../../src/core/text/nearest.ts";
import { CONFIG_FILE_NAME, type ConfigProblem, createConfigError, locate } from "./config-problems.ts";
import { checkValue, type SchemaNode } from "./config-schema.ts";
import { parseConfigSyntax } from "./config-syntax.ts";
import { readSettingsFile } from "./settings-file.ts";

/** A category as somebody wrote it down. */
export interface WrittenCategory {
  readonly id?: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Name, alias or id; `""` for none. */
  readonly parent: string;
  readonly related: readonly string[];
  /** 1-based line of the file. */
  readonly line: number;
}

/** The file that is read where the configuration names none. */
const CATEGORIES_FILE_NAME = "categories.json";

/** Categories as they were written down. */
export interface WrittenCategories {
  /** File that they stand in, as diagnostics name it. */
  readonly file: string;
  readonly categories: readonly WrittenCategory[];
}

/** A corpus whose categories nobody wrote down. */
export const NO_CATEGORIES: WrittenCategories = { file: CATEGORIES_FILE_NAME, categories: [] };

/**
 * The categories in `dir`, in their order; none where there is no `categories.json`.
 *
 * @param name File as the configuration names it, or `""`.
 * @throws {InputError} with one line `file:line:column: message` for every problem, or when a named file is missing.
 */
export async function loadCategories(dir: string, name: string): Promise<WrittenCategories> {
  const file = name === "" ? CATEGORIES_FILE_NAME : name;
  const text = await readSettingsFile(dir, file);
  if (text !== undefined) return { file, categories: parseCategories(text, file) };
  if (name === "") return NO_CATEGORIES;
  throw new InputError(`the categories ${JSON.stringify(name)}, which ${CONFIG_FILE_NAME} names, do not exist`);
}

/**
 * The categories in the text of a file; `file` is how messages name it.
 *
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export function parseCategories(source: string, file: string = CATEGORIES_FILE_NAME): WrittenCategory[] {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  const tree = parseConfigSyntax(text, file);
  const problems: ConfigProblem[] = [];
  const value = checkValue(tree, categoriesSchema as SchemaNode, "categories", problems);
  const nodes = tree.type === "object" ? (findNodeAtLocation(tree, ["categories"])?.children ?? []) : [];
  for (const node of nodes) checkNames(node, problems);
  if (problems.length > 0) throw createConfigError(text, problems, file);
  // `checkValue` has made the value what the schema says.
  const { categories } = value as { readonly categories: readonly Omit<WrittenCategory, "line">[] };
  return categories.map((category, at) => ({
    ...category,
    line: locate(text, (nodes[at] as Node).offset).line,
  }));
}

/** What a schema cannot say: a name, an alias and an id hold something that can be compared. */
function checkNames(node: Node, problems: ConfigProblem[]): void {
  if (node.type !== "object") return;
  const texts = [["id"], ["name"], ["aliases"]].flatMap((path) => {
    const found = findNodeAtLocation(node, path);
    return found?.type === "array" ? (found.children ?? []) : found === undefined ? [] : [found];
  });
  for (const text of texts) {
    if (text.type === "string" && text.value !== "" && foldCategory(String(text.value)) === "") {
      problems.push({ offset: text.offset, message: `${quoteValue(text.value)} holds no letter, digit or sign` });
    }
  }
}
