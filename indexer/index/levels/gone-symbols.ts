/**
 * Symbols that pages name, that the base had and that are gone: the page still says the old name.
 */
import { mentionsInPages } from "../../../src/core/code/edges.ts";
import { makeDocumentId } from "../../../src/core/docs/node-id.ts";
import type { LoggedFinding } from "../../../src/core/format/build-log.ts";
import { makeSymbolId, withoutOrdinal } from "../../../src/core/format/code-model.ts";
import type { NamedSymbol } from "../../../src/core/format/edge-tables.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { readVisibleLog } from "../../../src/core/index/read-log.ts";
import type { TreelineConfig } from "../../config/config.ts";
import { type GroupCode, NO_CODE } from "../../link/code/link-code.ts";
import { type BuildLog, makeBuildLog, siteLines } from "../build-log.ts";
import type { ReadCorpus } from "../read-corpus.ts";

type Finding = BuildLog["diagnostics"][number];

const CODE = "gone-symbol";

/** The log of a corpus with a warning for each such name, in place of the note that it is unknown. */
export async function logGoneSymbols(
  reader: IndexReader,
  { documents, description }: Pick<ReadCorpus, "documents" | "description">,
  config: TreelineConfig,
): Promise<BuildLog> {
  const { log, code } = description;
  const pages = documents.filter(({ card }) => card.codeWords.length > 0);
  if (pages.length === 0) return log;
  const ids = pages.map(({ task }) => task.id);
  // A name is warned of until the page drops it: what was gone before is known by its warning alone.
  const warned = (await readVisibleLog(reader)).diagnostics.flatMap(readFinding);
  const before = (await mentionsInPages(reader, ids)).map((named, at) => [
    ...named,
    ...warned.filter(({ pageId }) => pageId === ids[at]),
  ]);
  const described = new Map([...code].map(([group, own]) => [group, describeCode(own)]));
  const found: Finding[] = [];
  for (const [at, { task, card }] of pages.entries()) {
    const named = before[at] ?? [];
    if (named.length === 0) continue;
    const { name: collection, access } = config.collections[task.collection] as TreelineConfig["collections"][number];
    const own = described.get(access) ?? describeCode(NO_CODE);
    const gone = new Map<string, NamedSymbol>();
    for (const one of named) if (isGone(one, own, task.id) && !gone.has(one.text)) gone.set(one.text, one);
    const reported = new Set<string>();
    for (const { text, line } of card.codeWords) {
      const was = gone.get(text);
      if (was === undefined || reported.has(text)) continue;
      reported.add(text);
      found.push(toFinding({ collection, path: card.path, line }, was));
    }
  }
  return found.length === 0 ? log : addFindings(log, found.map(siteLines(config.collections)));
}

interface DescribedCode {
  readonly ids: ReadonlySet<string>;
  /** Names of symbols, and paths from each of their names on. */
  readonly names: ReadonlySet<string>;
  /** Pages with the texts in them that lead to symbols. */
  readonly mentions: ReadonlySet<string>;
}

function describeCode({ files, mentions }: GroupCode): DescribedCode {
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const file of files) {
    for (const symbol of file.symbols) {
      ids.add(makeSymbolId(file, symbol));
      const parts = withoutOrdinal(symbol.path).split(".");
      for (const at of parts.keys()) names.add(parts.slice(at).join("."));
    }
  }
  return { ids, names, mentions: new Set(mentions.map(({ nodeId, text }) => `${nodeId.split("#")[0]} ${text}`)) };
}

/** A symbol that moved, or whose name several have now, is not gone. */
function isGone({ symbolId, text }: NamedSymbol, { ids, names, mentions }: DescribedCode, pageId: string): boolean {
  const chain = text
    .replace(/\s*\(.*$|;$/g, "")
    .split(/\.#?|#|::|->/)
    .join(".");
  return !ids.has(symbolId) && !mentions.has(`${pageId} ${text}`) && !names.has(chain);
}

function toFinding(place: Pick<Finding, "collection" | "path" | "line">, { text, symbolId }: NamedSymbol): Finding {
  const message = `names "${text}", which was ${symbolId} in the base and is no longer there`;
  return { severity: "warning", code: CODE, message, ...place };
}

/** What `toFinding` was given; nothing for findings of another kind. */
function readFinding({ code, message, collection, path, line }: LoggedFinding): (NamedSymbol & { pageId: string })[] {
  const [, text, symbolId] = /^names "(.*)", which was (.*) in the base and is no longer there$/.exec(message) ?? [];
  if (code !== CODE || text === undefined || symbolId === undefined) return [];
  const pageId = makeDocumentId(collection, path);
  return [{ pageId, text, symbolId, nodeId: pageId, line }];
}

/** What says the same of a name with less is left out, and where it is known what its container lacks, that says enough. */
function addFindings(log: BuildLog, found: readonly Finding[]): BuildLog {
  const nameOf = ({ message }: Finding): string =>
    (/^names "([^"]*)"/.exec(message)?.[1] ?? "").replace(/::|->|\.#|#/g, ".").replace(/\(.*$/, "");
  const keyOf = (finding: Finding): string => `${makeDocumentId(finding.collection, finding.path)} ${nameOf(finding)}`;
  const lacking = new Set(log.diagnostics.filter(({ code }) => code === "missing-symbol").map(keyOf));
  const added = found.filter((finding) => !lacking.has(keyOf(finding)));
  const said = new Set(added.map(keyOf));
  const kept = log.diagnostics.filter((finding) => finding.code !== "unknown-name" || !said.has(keyOf(finding)));
  const made = makeBuildLog(log.skipped, [...kept, ...added]);
  const uncounted = log.diagnosticCount - log.diagnostics.length;
  return { ...made, diagnosticCount: made.diagnosticCount + uncounted };
}
