/**
 * Tool `logs`: the build log of the generation that answers.
 */
import { type LogRecord, SEVERITIES } from "../../core/format/build-log.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { readLog } from "../../core/index/read-log.ts";
import { OWN_TOOL } from "../../surface/render/findings.ts";
import { formatCount } from "../../surface/render/numbers.ts";
import { foldLine } from "../../surface/render/text.ts";
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
      forms: [
        {
          detail: "lines",
          blocks: () => page.map(({ level: own, message }) => `${own} ${foldLine(message, Number.POSITIVE_INFINITY)}`),
          json: (shown) => ({ total: wanted.length, lines: page.slice(0, shown) }),
          joined: true,
          keepAtLeast: 1,
        },
      ],
      page: { offset, total: wanted.length, items: "lines" },
    };
  },
});

/** The log as lines: errors, what was skipped, warnings, then notes and what was seen. */
function toLines({ collections }: IndexReader, { skipped, diagnostics, facetKeysLeftOut }: LogRecord): LogLine[] {
  const found = diagnostics.map(({ severity, code, message, collection, path, line, tool }): LogLine => {
    const place = line > 0 ? `${collection}:${path}:${line}` : `${collection}:${path}`;
    return { level: severity, event: code, message: `${place}: ${message} [${code}, ${tool ?? OWN_TOOL}]` };
  });
  const lines: LogLine[] = [
    ...skipped.map(
      ({ collection, path, reason, message }): LogLine => ({
        level: "warning",
        event: "skipped",
        message: `skipped ${collection}:${path}: ${message} [${reason}]`,
      }),
    ),
    ...found,
    ...facetKeysLeftOut.map(
      ({ key, values, documents, reason }): LogLine => ({
        level: "info",
        event: "facet-left-out",
        message: `facet key ${key} left out (${reason}): ${formatCount(values, "value")} in ${formatCount(documents, "document")}`,
      }),
    ),
    ...collections.map(
      ({ name, kind, documents, sections }): LogLine => ({
        level: "info",
        event: "collection",
        message: `collection ${name} (${kind}): ${formatCount(documents, "file")} read, ${formatCount(sections, "section")}`,
      }),
    ),
  ];
  return lines.sort((a, b) => SEVERITIES.indexOf(a.level) - SEVERITIES.indexOf(b.level));
}
