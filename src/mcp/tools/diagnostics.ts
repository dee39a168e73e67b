/**
 * Tool `diagnostics`: what the build found wrong in files, and what compilers and linters reported, one block a file.
 */
import { resolveDocumentId } from "../../core/docs/documents.ts";
import { InputError } from "../../core/errors.ts";
import { type LoggedFinding, SCAN_SOURCE, SEVERITIES } from "../../core/format/build-log.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { readLog } from "../../core/index/read-log.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { listForms } from "../../surface/render/answer.ts";
import { countSeverities, fileOf, inOrderOfFiles, OWN_TOOL } from "../../surface/render/findings.ts";
import { foldLine, formatCount, formatList, groupRuns } from "../../surface/render/text.ts";
import { unknownDocument } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const NAME = "diagnostics";
const LABELS: Readonly<Record<LoggedFinding["severity"], string>> = {
  error: "Error",
  warning: "Warning",
  info: "Info",
};

export const diagnosticsTool = defineTool({
  name: NAME,
  description:
    "Problems in files: parse errors, broken links and anchors, imports that lead nowhere, import cycles, docs that name missing symbols, findings of compilers and linters; with position. Use before you trust or change a file; next read or get_node_content.",
  parameters: {
    file: { kind: "text", aliases: ["path", "source_file", "document_query", "doc_id"] },
    severity: { kind: "choices", values: SEVERITIES },
    source: { kind: "text", aliases: ["tool"] },
    limit: { kind: "integer", default: 50, maximum: 200 },
  },
  pages: true,
  example: { severity: ["error"] },
  async run({ file, severity, source, limit }, { reader, offset }) {
    const { diagnostics, diagnosticCount } = await readLog(reader);
    const id = file === undefined ? undefined : await findReported(reader, file, diagnostics);
    if (source !== undefined) checkSource(source, diagnostics);
    const wanted = diagnostics.filter(
      (finding) =>
        (id === undefined || fileOf(finding) === id) &&
        (severity === undefined || severity.includes(finding.severity)) &&
        (source === undefined || toolOf(finding) === source.toLowerCase()),
    );
    const ordered = inOrderOfFiles(wanted);
    const page = ordered.slice(offset, offset + limit);
    const left = diagnosticCount - diagnostics.length;
    return {
      summary: `${countSeverities(wanted)}${id === undefined ? "" : ` in ${id}`}.`,
      forms: listForms(page, [["messages", true] as const, ["rules", false] as const], {
        blocks: (shown, withMessage) => groupRuns(shown, fileOf).map((group) => blockOf(group, withMessage)),
        toJson: (shown) => ({ total: wanted.length, diagnostics: shown.map(toJson) }),
      }),
      page: { offset, total: wanted.length, items: "findings" },
      notes: left > 0 ? [`The build found ${left} more that the index does not keep.`] : [],
    };
  },
});

/** Id of a document, or of another file that findings name: a manifest, a settings file. @throws {InputError} */
async function findReported(
  reader: IndexReader,
  text: string,
  findings: readonly LoggedFinding[],
): Promise<string | undefined> {
  const id = await resolveDocumentId(reader, text);
  if (id !== undefined) return id;
  const named = findings.filter((finding) => fileOf(finding) === text || (text !== "" && finding.path === text));
  const [first, second] = new Set(named.map(fileOf));
  if (first !== undefined && (second === undefined || first === text)) return first;
  throw await unknownDocument(reader, text, { tool: NAME, example: (near) => ({ file: near }) });
}

function toolOf({ tool = OWN_TOOL }: LoggedFinding): string {
  return tool.toLowerCase();
}

function checkSource(source: string, diagnostics: readonly LoggedFinding[]): void {
  const known = [...new Set([OWN_TOOL, SCAN_SOURCE, ...diagnostics.map(toolOf)])];
  if (known.includes(source.toLowerCase())) return;
  throw new InputError(
    `Nothing was reported by ${quoteName(source)}. The sources are ${known.join(", ")}.`,
    nearestNames(source.toLowerCase(), known),
  );
}

function blockOf(group: readonly LoggedFinding[], withMessage: boolean): string {
  const lines = group.flatMap((finding) => {
    const { line, column, severity, code, message, tool = OWN_TOOL } = finding;
    const place = line === 0 ? "" : `@${line}${column === undefined || column === 0 ? "" : `:${column}`} `;
    return [
      `${place}${LABELS[severity]} - ${oneLine(code)} [${oneLine(tool)}]`,
      ...(withMessage ? [`  ${oneLine(message)}`] : []),
    ];
  });
  return formatList(`${oneLine(fileOf(group[0] as LoggedFinding))} (${formatCount(group.length, "result")})`, lines);
}

/** Reports of linters hold what they like; each part of a finding has its line. */
function oneLine(text: string): string {
  return foldLine(text, Number.POSITIVE_INFINITY);
}

function toJson(finding: LoggedFinding) {
  const { severity, code, message, path, line, column, tool = OWN_TOOL } = finding;
  return {
    file: fileOf(finding),
    filePath: path,
    line,
    ...(column !== undefined && { column }),
    severity,
    rule: code,
    source: tool,
    message,
  };
}
