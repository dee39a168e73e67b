/**
 * Lines of findings about pages of built sites: what is looked through is the text that was made of a page, whose lines are not those of
 * the file. Pure.
 */
import type { CollectionConfig } from "../config/config.ts";
import type { BuildLog } from "./build-log.ts";
import { isSitePage } from "./prepare-document.ts";

type Finding = BuildLog["diagnostics"][number];

/** Findings of reading the file itself: their lines are the file's. */
const OF_THE_FILE = /^(?:invalid-utf|html-|site-)/;

/** Says of a finding about such a page in words where it stands, and gives it no line. */
export function siteLines(
  collections: readonly Pick<CollectionConfig, "name" | "kind">[],
): (finding: Finding) => Finding {
  const kinds = new Map(collections.map((collection) => [collection.name, collection]));
  return (finding) => {
    const { collection, path, line, code, message, tool, column: _, ...rest } = finding;
    const own = kinds.get(collection);
    const isOther = own === undefined || !isSitePage(own, path) || line === 0 || tool !== undefined;
    if (isOther || OF_THE_FILE.test(code)) return finding;
    return { ...rest, collection, path, code, line: 0, message: `${message} (line ${line} of the text of the page)` };
  };
}
