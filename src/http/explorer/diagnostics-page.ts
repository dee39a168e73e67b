/** The explorer's diagnostics: what the build found wrong in files, what other tools reported, what was left out. */
import { checkCollection, listDocumentNames } from "../../core/docs/catalogue.ts";
import { makeDocumentId } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import { type LoggedFinding, type LoggedSkip, SEVERITIES } from "../../core/format/build-log.ts";
import type { CollectionInfo } from "../../core/format/root.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { readLog } from "../../core/index/read-log.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import type { Arguments } from "../../surface/parameters.ts";
import { countSeverities, fileOf, inOrderOfFiles, OWN_TOOL } from "../../surface/render/findings.ts";
import { formatCount, formatNumber } from "../../surface/render/text.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo, linkToDocument, linkToOutline, linkToSource, type Parameters } from "./links.ts";
import { type IndexPage, OFFSET, type Page, readPage, type Site, writePaging, writeSortHead } from "./page.ts";

const DIAGNOSTICS_PATH = `${EXPLORER_PATH}/diagnostics`;

const PAGE_ENTRIES = 100;
const SEVERITY_CHOICES = ["", ...SEVERITIES] as const;
const SHOW_CHOICES = ["findings", "skipped"] as const;
/** Rules that can be chosen; the others can be written. */
const MAX_RULES = 60;

const PARAMETERS = {
  show: {
    kind: "choice",
    values: SHOW_CHOICES,
    default: SHOW_CHOICES[0],
  },
  severity: {
    kind: "choice",
    values: SEVERITY_CHOICES,
    default: "",
  },
  collection: { kind: "text", default: "" },
  tool: { kind: "text", default: "" },
  rule: { kind: "text", default: "" },
  file: { kind: "text", default: "" },
  sort: { kind: "choice", values: ["file", "severity", "rule"], default: "file" },
  offset: OFFSET,
} as const;

export const DIAGNOSTICS_PAGE: IndexPage = {
  path: DIAGNOSTICS_PATH,
  write: writeDiagnosticsPage,
};

type Asked = Omit<Arguments<typeof PARAMETERS>, "offset">;

/** The page. @throws {InputError} for a severity, collection, tool or rule that there is not. */
async function writeDiagnosticsPage(reader: IndexReader, site: Site, parameters: URLSearchParams): Promise<Page> {
  const { base } = site;
  const { offset, ...given } = readPage(parameters, PARAMETERS);
  const asked: Asked = { ...given, file: given.file.trim() };
  if (asked.collection !== "") checkCollection(reader, asked.collection);
  const { diagnostics, diagnosticCount, skipped } = await readLog(reader);
  const tools = countBy(diagnostics, toolOf);
  const rules = countBy(diagnostics, ({ code }) => code);
  checkKnown("tool", asked.tool, tools);
  checkKnown("rule", asked.rule, rules);
  const link = (changed: Partial<Asked & { offset: number }>): string =>
    linkTo(base, DIAGNOSTICS_PATH, dropDefaults({ ...asked, ...changed }));
  const isSkipped = asked.show === "skipped";
  const collections = reader.collections.map(({ name }) => name);
  const left = diagnosticCount - diagnostics.length;
  const tabs = html`<nav aria-label="What to show"><ul class="chips">
<li><a class="chip" href="${linkTo(base, DIAGNOSTICS_PATH)}"${!isSkipped && html` aria-current="page"`}>Findings <small>${formatNumber(diagnosticCount)}</small></a></li>
<li><a class="chip" href="${linkTo(base, DIAGNOSTICS_PATH, { show: "skipped" })}"${isSkipped && html` aria-current="page"`}>Skipped files <small>${formatNumber(skipped.length)}</small></a></li>
</ul></nav>`;
  const isWanted = ({ collection, path }: { readonly collection: string; readonly path: string }): boolean =>
    (asked.collection === "" || collection === asked.collection) &&
    (asked.file === "" || makeDocumentId(collection, path).toLowerCase().includes(asked.file.toLowerCase()));
  const paging = (total: number): Html | "" =>
    writePaging({ offset, limit: PAGE_ENTRIES, total, linkTo: (next) => link({ offset: next }) });
  if (isSkipped) {
    const wanted = skipped.filter(isWanted);
    return {
      title: "Skipped files",
      current: DIAGNOSTICS_PATH,
      isWide: true,
      main: html`${tabs}${writeFilter(asked, base, collections, [], [])}
<p class="soft">${formatCount(wanted.length, "file")} that the index leaves out.</p>
${wanted.length > 0 && writeSkipped(wanted.slice(offset, offset + PAGE_ENTRIES))}${paging(wanted.length)}`,
    };
  }
  const wanted = diagnostics.filter(
    (finding) =>
      isWanted(finding) &&
      (asked.severity === "" || finding.severity === asked.severity) &&
      (asked.tool === "" || toolOf(finding) === asked.tool) &&
      (asked.rule === "" || finding.code === asked.rule),
  );
  const page = sortFindings(wanted, asked.sort).slice(offset, offset + PAGE_ENTRIES);
  const names = page.length === 0 ? [] : await listDocumentNames(reader);
  const titles = new Map(names.map(({ id, title }) => [id, title]));
  return {
    title: "Diagnostics",
    current: DIAGNOSTICS_PATH,
    isWide: true,
    main: html`${tabs}${writeFilter(asked, base, collections, [...tools.keys()], [...rules.keys()].slice(0, MAX_RULES))}
<p class="soft">${countSeverities(wanted)}.${left > 0 && ` The build found ${formatNumber(left)} more that the index does not keep.`}</p>
${page.length > 0 && writeFindings(page, { titles, collections: reader.collections, base, link, sort: asked.sort })}${paging(wanted.length)}`,
  };
}

/** What the rows of a page are written from. */
interface FindingSetting {
  /** Titles of documents by their ids. */
  readonly titles: ReadonlyMap<string, string>;
  readonly collections: readonly CollectionInfo[];
  readonly base: string;
  readonly link: (changed: Partial<Asked>) => string;
  readonly sort: Asked["sort"];
}

function dropDefaults({ show, sort, ...asked }: Partial<Asked & { offset: number }>): Parameters {
  return { ...asked, show: show === "findings" ? "" : show, sort: sort === "file" ? "" : sort };
}

/** By file; by severity, the worst first; or by rule, the most frequent first. Findings that are equal in that are by file. */
function sortFindings(findings: readonly LoggedFinding[], sort: Asked["sort"]): LoggedFinding[] {
  const byFile = inOrderOfFiles(findings);
  if (sort === "file") return byFile;
  const counts = [...countBy(findings, ({ code }) => code).keys()];
  const keyOf = ({ severity, code }: LoggedFinding): number =>
    sort === "severity" ? SEVERITIES.indexOf(severity) : counts.indexOf(code);
  return byFile.sort((a, b) => keyOf(a) - keyOf(b));
}

function writeFindings(
  findings: readonly LoggedFinding[],
  { titles, collections, base, link, sort }: FindingSetting,
): Html {
  const head = (name: Asked["sort"], label: string): Html => writeSortHead(label, name === sort, link({ sort: name }));
  return html`<div class="table" tabindex="0" role="region" aria-label="Findings"><table class="cards">
<thead><tr>${head("severity", "Severity")}${head("file", "File")}${head("rule", "Rule")}<th scope="col">Message</th></tr></thead>
<tbody>${findings.map((finding) => {
    const { severity, code, message, line, column = 0 } = finding;
    const file = fileOf(finding);
    const place = line === 0 ? "" : `:${line}${column === 0 ? "" : `:${column}`}`;
    const title = titles.get(file);
    const path = html`<bdi>${file}</bdi>${place}`;
    const isLine = line > 0 && codeLanguageOf(finding.path) !== undefined;
    const href = isLine ? `${linkToDocument(base, file)}#L${line}` : linkToOutline(base, file);
    const source =
      finding.path === ""
        ? undefined
        : linkToSource(collections, finding, line > 0 ? { start: line, end: line } : undefined);
    return html`<tr><td class="${SEVERITY_CLASSES[severity]}">${severity}</td><td class="path">${title === undefined ? path : title === "" ? html`<a href="${href}">${path}</a>` : html`<a href="${href}" dir="auto">${title}</a> <small>${path}</small>`}${source !== undefined && html` <small><a href="${source}">in the repository</a></small>`}</td><td><a class="rule" href="${link({ rule: code })}">${code}</a> <small>${toolOf(finding)}</small></td><td dir="auto">${message}</td></tr>
`;
  })}</tbody></table></div>`;
}

const SEVERITY_CLASSES: Readonly<Record<LoggedFinding["severity"], string>> = {
  error: "error",
  warning: "warning",
  info: "soft",
};

function writeSkipped(skipped: readonly LoggedSkip[]): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="Skipped files"><table class="cards">
<thead><tr><th scope="col">File</th><th scope="col">Reason</th><th scope="col">Message</th></tr></thead>
<tbody>${skipped.map(
    ({ collection, path, reason, message }) =>
      html`<tr><td class="path"><bdi>${makeDocumentId(collection, path)}</bdi></td><td>${reason}</td><td dir="auto">${message}</td></tr>
`,
  )}</tbody></table></div>`;
}

function writeFilter(
  asked: Asked,
  base: string,
  collections: readonly string[],
  tools: readonly string[],
  rules: readonly string[],
): Html {
  const choice = (name: keyof Asked, label: string, values: readonly string[]): Html | "" => {
    const own = asked[name];
    const all = own === "" || values.includes(own) ? values : [own, ...values];
    if (all.length < 2 && own === "") return "";
    return html`<label>${label} <select name="${name}"><option value="">all</option>${all.map(
      (value) => html`<option${value === own && html` selected`}>${value}</option>`,
    )}</select></label>
`;
  };
  const isSkipped = asked.show === "skipped";
  return html`<form class="controls" action="${linkTo(base, DIAGNOSTICS_PATH)}">
${!isSkipped && choice("severity", "Severity", SEVERITIES)}${choice("collection", "Collection", collections)}${!isSkipped && choice("tool", "Tool", tools)}${!isSkipped && choice("rule", "Rule", rules)}<label>File <input type="search" name="file" value="${asked.file}" maxlength="200" autocomplete="off" spellcheck="false"></label>
${isSkipped && html`<input type="hidden" name="show" value="skipped">`}<button>Filter</button>
</form>`;
}

function toolOf({ tool = OWN_TOOL }: LoggedFinding): string {
  return tool;
}

/** Values with how often they occur, the most frequent first. */
function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

function checkKnown(what: string, value: string, known: ReadonlyMap<string, number>): void {
  if (value === "" || known.has(value)) return;
  const names = [...known.keys()];
  throw new InputError(`No finding that you can see has the ${what} ${quoteName(value)}.`, nearestNames(value, names));
}
