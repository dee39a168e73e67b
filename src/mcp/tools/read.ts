/**
 * Tool `read`: a source file as the outline of its symbols, with signatures or code, or as it stands.
 */

import { loadExports, readPassedOn } from "../../core/code/packages.ts";
import { readPassages, resolveOutlines } from "../../core/docs/documents.ts";
import type { DocumentEntry } from "../../core/docs/model.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { countLines } from "../../core/text/lines.ts";
import type { LineRange } from "../../surface/parameters.ts";
import type { Answer } from "../../surface/render/answer.ts";
import { describeFile, PREVIEW_MODES } from "../../surface/render/code-outline.ts";
import { describePassedOn, summarizePassedOn } from "../../surface/render/symbols.ts";
import { estimateTokens, formatCount, formatLines } from "../../surface/render/text.ts";
import { bytesFor, findFile, unknownDocument } from "../find-named.ts";
import { defineTool, formatExample } from "../tool.ts";

const NAME = "read";

export const readTool = defineTool({
  name: NAME,
  description:
    "A source file: its symbols by name (none), with signatures, with the code of each (expanded), or byte-exact (raw). Next inspect or get_node_content.",
  parameters: {
    file: { kind: "text", required: true },
    preview_mode: {
      kind: "choice",
      values: [...PREVIEW_MODES, "raw"],
      default: "signature",
      aliases: ["mode"],
      synonyms: { true: "expanded", false: "none" },
    },
    max_depth: { kind: "integer", default: 99, minimum: 0 },
    max_lines: { kind: "integer", default: 20, maximum: 200 },
    show_container: { kind: "boolean", default: false },
    start_line: { kind: "integer" },
    end_line: { kind: "integer" },
  },
  readsBodies: ({ preview_mode }) => preview_mode === "raw" || preview_mode === "expanded",
  pages: true,
  example: { file: "src/index.ts" },
  quotes: true,
  async run(
    { file, preview_mode, max_depth, max_lines, show_container, start_line, end_line },
    { reader, maxTokens, offset },
  ) {
    const lines: LineRange = { start: start_line ?? 1, end: end_line ?? Number.POSITIVE_INFINITY };
    if (lines.end < lines.start) throw new InputError(`end_line ${lines.end} stands before start_line ${lines.start}.`);
    if (preview_mode === "raw") return readRaw(reader, file, lines, maxTokens);
    const { record } = await findFile(reader, file, NAME);
    const range = { maxDepth: max_depth, startLine: lines.start, endLine: lines.end };
    const read = preview_mode === "expanded" ? await readText(reader, record.id, WHOLE, maxTokens) : undefined;
    const { symbols, ...outline } = describeFile(record, {
      ...range,
      mode: preview_mode as (typeof PREVIEW_MODES)[number],
      maxLines: max_lines,
      showContainer: show_container,
      ...(read !== undefined && { text: read.text }),
    });
    if (symbols.length === 0 && lines.start > 1) await expectLine(reader, record.id, lines.start);
    const passed = await readPassedOn(reader, record.id);
    const said = summarizePassedOn(passed);
    if (record.symbols.length === 0 && passed.total > 0) {
      const names = await loadExports(reader, passed.names.slice(offset, offset + MAX_REEXPORTS));
      return describePassedOn(outline.summary, { ...passed, names }, { file: record.id, symbols: [] }, offset);
    }
    return {
      ...outline,
      notes: [
        ...(said === "" ? [] : [`It ${said}.`]),
        ...(record.errors > 0 ? [`${formatCount(record.errors, "part")} of the file could not be parsed.`] : []),
        ...(read !== undefined && symbols.some(({ start }) => start.line > read.endLine)
          ? [`Code is shown up to line ${read.endLine}; preview_mode raw reads further lines.`]
          : []),
      ],
    };
  },
});

/** Names that a file passes on which are shown at once. */
const MAX_REEXPORTS = 10;

const WHOLE: LineRange = { start: 1, end: Number.POSITIVE_INFINITY };

/** Lines of a file as they stand. */
async function readText(reader: IndexReader, id: string, { start, end }: LineRange, maxTokens: number) {
  const [outline] = await resolveOutlines(reader, [id]);
  if (outline === undefined) throw await unknownDocument(reader, id, { tool: NAME, example: (file) => ({ file }) });
  const { lines } = outline.document;
  checkStart(outline.document, start);
  const request = { outline, startLine: start, endLine: Math.min(end, lines), withFrontmatter: true };
  const [passage] = await readPassages(reader, [request], bytesFor(maxTokens));
  const { startLine = 1, endLine = 0, text = "" } = passage ?? {};
  return { id: outline.document.id, startLine, endLine, text, lines };
}

/** @throws {InputError} where a file has no such line. */
async function expectLine(reader: IndexReader, id: string, start: number): Promise<void> {
  const [outline] = await resolveOutlines(reader, [id]);
  if (outline !== undefined) checkStart(outline.document, start);
}

function checkStart({ id, lines }: DocumentEntry, start: number): void {
  if (start > Math.max(1, lines)) {
    throw new InputError(`${id} has ${formatCount(lines, "line")}; start_line is ${start}.`);
  }
}

/** The text and nothing before or after it, in whole lines where it does not fit. */
async function readRaw(reader: IndexReader, file: string, lines: LineRange, maxTokens: number): Promise<Answer> {
  const { id, startLine, endLine, text, lines: count } = await readText(reader, file, lines, maxTokens);
  const shorten = (room: number) => {
    const kept = keepLines(text, room);
    return kept === "" ? undefined : form(kept, startLine + countLines(kept) - 1);
  };
  const form = (shown: string, last: number) => ({
    detail: `lines ${formatLines(startLine, last)}`,
    blocks: () => [shown],
    json: () => ({ file: id, startLine, endLine: last, lines: count, text: shown }),
    raw: true,
    ...(last < count && {
      more: `Further lines: ${formatExample(NAME, { file: id, preview_mode: "raw", start_line: last + 1 })}.`,
    }),
  });
  return { summary: "", forms: [{ ...form(text, endLine), shorten }] };
}

/** The longest run of whole lines from the first on that costs at most so many tokens. */
function keepLines(text: string, maxTokens: number): string {
  let spent = 0;
  const kept = (text.match(/[^\n]*\n|[^\n]+/g) ?? []).map((line) => {
    spent += estimateTokens(line);
    return spent > maxTokens ? "" : line;
  });
  return kept.join("");
}
