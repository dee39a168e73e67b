/**
 * Categories that a maintainer wrote down: `categories.json` beside the configuration, or the file that it names.
 *
 * `schemas/categories.schema.json` is made of the schema here. What does not fit is an error, all of it at once, by line and
 * column; what fits and cannot be followed (a parent that does not exist, a cycle, an alias of two) is a diagnostic of the
 * build (`topics/collect-categories.ts`).
 *
 * I/O: reads the file.
 */

import { z } from "zod";
import { foldCategory } from "../../src/core/docs/categories.ts";
import { InputError } from "../../src/core/errors.ts";
import { quoteValue } from "../../src/core/text/nearest.ts";
import { CONFIG_FILE_NAME, checkSettings, parseSyntax, readSettingsFile } from "./settings-file.ts";

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

/** The whole file. */
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

/** A category as somebody wrote it down. */
export interface WrittenCategory extends Readonly<z.output<typeof CATEGORY>> {
  /** 1-based line of the file. */
  readonly line: number;
}

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
export function parseCategories(text: string, file: string = CATEGORIES_FILE_NAME): WrittenCategory[] {
  const { value, lineOf } = checkSettings(parseSyntax(text, file), CATEGORIES, file, "categories");
  return value.categories.map((category, at) => ({ ...category, line: lineOf(["categories", at]) }));
}
