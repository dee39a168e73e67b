/**
 * The ids that a map names, and whether each still leads somewhere. Pure apart from the reader's I/O.
 */
import { resolveSymbol } from "../code/resolve-symbol.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { loadOutlines, resolveNode } from "./documents.ts";
import { splitNodeId } from "./node-id.ts";

/** Something between backticks: as many behind it as before it, none of their number inside. */
const QUOTED = /(`+)( ?)(.+?)\2\1(?!`)/g;
/** An id, as far as its signs tell. */
const ID = /^[^\s:/]+:(?!\/\/)\S.*$/;

/** Ids of documents, sections and symbols in a text, each once, in its order. */
export function listIds(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, , , inside]) => inside ?? "");
  return [...new Set(quoted.filter((inside) => ID.test(inside)))];
}

/** Those that name no document, section or symbol of the index, in their order. A round of reads, and more for symbols. */
export async function findDeadIds(reader: IndexReader, ids: readonly string[]): Promise<string[]> {
  const outlines = await loadOutlines(
    reader,
    ids.map((id) => splitNodeId(id).documentId),
  );
  const dead: string[] = [];
  for (const [at, id] of ids.entries()) {
    const outline = outlines[at];
    if (outline !== undefined && resolveNode(outline, id) !== undefined) continue;
    // A symbol that begins in the middle of a line has no section of its own.
    if (outline !== undefined && (await resolveSymbol(reader, id)).kind === "one") continue;
    dead.push(id);
  }
  return dead;
}
