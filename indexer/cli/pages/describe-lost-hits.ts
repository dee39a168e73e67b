/**
 * What a search in a page finds and cannot lead to: a Worker has pages of its own for that, files on a host have none.
 */

import type { CollectionInfo } from "../../../src/core/format/root.ts";
import { PUBLIC_GROUP } from "../../../src/surface/access/caller.ts";
import { toPrintable } from "../../base/printable.ts";
import { openIndexAt } from "../../open/open-index.ts";

/**
 * Warnings, one for each public collection of an index whose hits have no address, with what to set; none where all is well.
 *
 * @throws {InputError} where there is no index in the folder.
 */
export async function describeLostHits(indexFolder: string): Promise<readonly string[]> {
  const { collections } = await openIndexAt(indexFolder);
  return collections
    .filter(({ baseUrl, access, documents }) => baseUrl === "" && access === PUBLIC_GROUP && documents > 0)
    .map((collection) => toPrintable(describe(collection)));
}

function describe({ name, kind }: CollectionInfo): string {
  const lost = `Warning: what is found in the collection ${JSON.stringify(name)} has no address, so no hit leads to it.`;
  return kind === "code"
    ? `${lost} Set its "baseUrl" in treeline.config.json to where the files can be read (https://github.com/OWNER/NAME/blob/main/), or name the others on the box: collections="docs".`
    : `${lost} Set its "baseUrl" in treeline.config.json to where the pages are on the web, or index the folder of the built site in place of its sources.`;
}
