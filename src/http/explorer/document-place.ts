/** Where a document stands, as a line below its title. Pure: a document in, HTML out. */
import type { DocumentEntry } from "../../core/docs/model.ts";
import { folderOf } from "../../core/docs/node-id.ts";
import { type Html, html } from "./html.ts";
import { TREE_PATH, EXPLORER_PATH, linkTo } from "./navigation.ts";

/** The folder, which leads to what else is in it, and the name of the file. */
export function writePlace(
  { id, collection, path }: Pick<DocumentEntry, "id" | "collection" | "path">,
  base: string,
): Html {
  const end = path.lastIndexOf("/") + 1;
  return html`<p class="where"><a href="${linkTo(base, TREE_PATH, { folder: folderOf(id) })}"><bdi>${collection}:${path.slice(0, end)}</bdi></a><bdi>${path.slice(end)}</bdi></p>`;
}
