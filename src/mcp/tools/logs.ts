/**
 * Tool `logs`: the build log of the generation that answers.
 */
import { type LogRecord, SEVERITIES } from "../../core/format/build-log.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { readLog } from "../../core/index/read-log.ts";
import { listForms } from "../../surface/render/answer.ts";
import { OWN_TOOL } from "../../surface/render/findings.ts";
import { foldLine, formatCount } from "../../surface/render/text.ts";
import { defineTool } from "../tool.ts";

interface LogLine {
  readonly level: (typeof SEVERITIES)[number];
  readonly event: string;
  readonly message: string;
}

export const logsTool = defineTool({
  name: "logs",
  description:
    "Build log of the index: files seen, files skipped and why, warnings and errors. Use when something expected is not found; next diagnostics or index_status.",
  parameters: {
    level: { kind: "choice", values: SEVERITIES, default: "warning", aliases: ["severity"] },
    limit: { kind: "integer", default: 100, maximum: 1_000 },
  },
  pages: true,
  example: { level: "info" },
  async run({ level, limit }, { reader, offset }) {
    const all = toLines(reader, await readLog(reader));
    const wanted = all.filter((line) => SEVERITIES.indexOf(line.level) <= SEVERITIES.indexOf(level));
    const page = wanted.slice(offset, offset + limit);
    return {
      summary: `${formatCount(wanted.length, "line")} of the build log, level ${level} and worse.`,
      forms: listForms(page, [["lines", undefined, 1]], {
        text: ({ level: own, message }) => `${own} ${foldLine(message, Number.POSITIVE_INFINITY)}`,
        toJson: (lines) => ({ total: wanted.length, lines }),
        joined: true,
      }),
      page: { offset, total: wanted.length, items: "lines" },
    };
  },
});

/** The log as lines: errors, what was skipped, warnings, then notes and what was seen. */
function toLines({ collections }: IndexReader, { skipped, diagnostics, facetKeysLeftOut }: LogRecord): LogLine[] {
  const line = (level: LogLine["level"], event: string, message: string): LogLine => ({ level, event, message });
  const lines = [
    ...skipped.map(({ collection, path, reason, message }) =>
      line("warning", "skipped", `skipped ${collection}:${path}: ${message} [${reason}]`),
    ),
    ...diagnostics.map(({ severity, code, message, collection, path, line: number, tool = OWN_TOOL }) => {
      const place = `${collection}:${path}${number > 0 ? `:${number}` : ""}`;
      return line(severity, code, `${place}: ${message} [${code}, ${tool}]`);
    }),
    ...facetKeysLeftOut.map(({ key, values, documents, reason }) => {
      const counts = `${formatCount(values, "value")} in ${formatCount(documents, "document")}`;
      return line("info", "facet-left-out", `facet key ${key} left out (${reason}): ${counts}`);
    }),
    ...collections.map(({ name, kind, documents, sections }) => {
      const counts = `${formatCount(documents, "file")} read, ${formatCount(sections, "section")}`;
      return line("info", "collection", `collection ${name} (${kind}): ${counts}`);
    }),
  ];
  return lines.sort((a, b) => SEVERITIES.indexOf(a.level) - SEVERITIES.indexOf(b.level));
}
