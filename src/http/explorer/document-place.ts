/** Where a document stands, as a line below its title. Pure: a document in, HTML out. */
import type { DocumentEntry } from "../../core/tree/model.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo } from "./navigation.ts";

/** Where the folders are listed. */
export const TREE_PATH = `${EXPLORER_PATH}/tree`;

/** The folder, which leads to what else is in it, and the name of the file. */
export function writePlace({ collection, path }: Pick<DocumentEntry, "collection" | "path">, base: string): Html {
  const end = path.lastIndexOf("/") + 1;
  const folder = `${collection}:${path.slice(0, end)}`;
  return html`<p class="where"><a href="${linkTo(base, TREE_PATH, { folder })}"><bdi>${folder}</bdi></a><bdi>${path.slice(end)}</bdi></p>`;
}
