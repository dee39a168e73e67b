/**
 * Tool `references`: the places that lead to a symbol.
 */

import { incomingEdges } from "../../core/code/edges.ts";
import { useTargetsOf } from "../../core/code/resolve-symbol.ts";
import { loadOutlines, readPassages } from "../../core/docs/documents.ts";
import type { CodePosition, EdgeKind } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { referenceForms, summarizeReferences } from "../../surface/render/found-symbols.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-code.ts";
import { defineTool } from "../tool.ts";

const NAME = "references";
/** Kinds of edges by what callers ask for. */
const KINDS_OF = {
  calls: ["calls", "instantiates", "decorates"],
  reads: ["reads", "writes"],
  types: ["type", "extends", "implements", "overrides", "declares"],
  imports: ["imports", "reexports"],
} as const satisfies Readonly<Record<string, readonly EdgeKind[]>>;
const INCLUDES = Object.keys(KINDS_OF) as readonly (keyof typeof KINDS_OF)[];
/** Files that lines are read of; the places of further ones are shown without. */
const MAX_FILES_READ = 12;

export const referencesTool = defineTool({
  name: NAME,
  description:
    "Places that lead to a symbol, by file: calls, reads, types, imports, each with its line and how sure it is (precise, scope, receiver, name = a guess). Use before changing it; next call_hierarchy or rename.",
  parameters: {
    ...SYMBOL_PARAMETERS,
    include: { kind: "choices", values: INCLUDES },
    limit: { kind: "integer", default: 50, maximum: 200 },
  },
  pages: true,
  example: { symbol: "Store.open", include: ["calls"] },
  isKept: true,
  async run({ include, limit, ...args }, { reader, offset }) {
    const symbol = await findSymbol(reader, args, NAME);
    const kinds = include?.flatMap((name): readonly EdgeKind[] => KINDS_OF[name]);
    const targets = useTargetsOf(symbol);
    const found = await incomingEdges(reader, targets, kinds === undefined ? {} : { kinds }, {
      offset,
      limit,
    });
    const lines = await readLines(
      reader,
      found.edges.map(({ file, at }) => ({ file: file.record.id, at })),
    );
    const references = found.edges.map(({ file, from, kind, tier, typeOnly, at }, index) => {
      const text = lines[index];
      return { inFile: file.record, from: from?.record, kind, tier, typeOnly, at, ...(text !== undefined && { text }) };
    });
    const page = { offset, total: found.total, items: "references" };
    return {
      summary: summarizeReferences(symbol.id, references, page),
      forms: referenceForms(symbol.id, found.total, references),
      page: page,
      notes: [
        ...symbol.notes,
        ...(found.total === 0 ? ["No place was found; calls that depend on run-time values are not followed."] : []),
      ],
    };
  },
});

/** A line that is wanted. */
interface WantedLine {
  /** Document id. */
  readonly file: string;
  readonly at: CodePosition;
}

/** The text of each line, undefined where it was not read. Two waves. */
async function readLines(reader: IndexReader, wanted: readonly WantedLine[]): Promise<(string | undefined)[]> {
  const ids = [...new Set(wanted.map(({ file }) => file))].slice(0, MAX_FILES_READ);
  const outlines = await loadOutlines(reader, ids);
  const requests = wanted.flatMap(({ file, at }, index) => {
    const outline = outlines[ids.indexOf(file)];
    return outline === undefined
      ? []
      : [{ index, outline, startLine: at.line, endLine: at.line, withFrontmatter: true }];
  });
  const passages = await readPassages(reader, requests);
  const texts = new Array<string | undefined>(wanted.length).fill(undefined);
  for (const [at, { index }] of requests.entries()) texts[index] = passages[at]?.text.replace(/\r?\n$/, "");
  return texts;
}
