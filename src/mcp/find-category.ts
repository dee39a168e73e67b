/**
 * Categories that arguments name. What names none becomes an answer that is an error, with the nearest names and the tool
 * that lists them.
 */
import { type CategoryTable, findCategory, nearestCategories, readCategories } from "../core/docs/categories.ts";
import { categoryShards } from "../core/docs/concepts.ts";
import type { Category } from "../core/docs/model.ts";
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { ResidentTable } from "../core/index/resident.ts";
import { quoteName } from "../core/text/nearest.ts";
import type { Answer } from "../surface/render/answer.ts";
import { foldLine } from "../surface/render/text.ts";

const MAX_NAME_LENGTH = 200;

/** A category with the table that it stands in, or the answer that says that there is none. */
export type NamedCategory =
  | { readonly ok: true; readonly table: CategoryTable; readonly category: Category }
  | { readonly ok: false; readonly answer: Answer };

/** Refuse an index without categories. @throws {InputError} */
export function expectCategories(reader: IndexReader): void {
  if (categoryShards(reader).length > 0) return;
  throw new InputError("This index has no categories. search_documents finds pages by what they say.");
}

/** The category that a text names. @param resident Tables that are needed next. @throws {InputError} without categories. */
export async function nameCategory(
  reader: IndexReader,
  text: string,
  resident: readonly ResidentTable[] = [],
): Promise<NamedCategory> {
  expectCategories(reader);
  const table = await readCategories(reader, text, resident);
  const category = findCategory(table.list, text);
  if (category !== undefined) return { ok: true, table, category };
  return { ok: false, answer: unknownCategory(text, nearestCategories(table.list, text)) };
}

function unknownCategory(text: string, didYouMean: readonly string[]): Answer {
  const error = `Category not found: ${foldLine(text, MAX_NAME_LENGTH)}`;
  const suggestion = "Call list_categories to see the categories that there are.";
  const near = didYouMean.length === 0 ? [] : [`Did you mean: ${didYouMean.map(quoteName).join(", ")}?`];
  return {
    summary: error,
    isError: true,
    forms: [
      {
        detail: "error",
        blocks: () => [...near, suggestion],
        json: () => ({ error, suggestion, didYouMean }),
        joined: true,
        perItem: false,
      },
    ],
  };
}
