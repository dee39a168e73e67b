/**
 * Precision and recall of edges against TypeScript's checker, and cycles against dependency-cruiser, on sources that npm
 * packages ship.
 *
 *   npm run bench:code-links -- WORKDIR [--misses N] [--cached] [--precise] [FOLDER…]
 *
 * Fetches the packages into WORKDIR, or takes the folders given. Prints Markdown, a row for each; `--misses` lists so
 * many places of each kind that were missed or wrong. With `--cached` files are linked as they come out of the parse cache's
 * bytes: the figures must be the same. With `--precise` they are linked with what the indexer's own checker says of them.
 */

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { decodeCodeUses, decodeOutline, encodeCode } from "../../indexer/index/prepared-document.ts";
import type { CodeFile } from "../../indexer/languages/base/code-file.ts";
import type { LinkFile } from "../../indexer/languages/base/language.ts";
import type { ManifestText } from "../../indexer/languages/base/manifests.ts";
import { parseTypeScript } from "../../indexer/languages/typescript/parse.ts";
import { type LinkedCode, linkCode } from "../../indexer/link/code/link-files.ts";
import { isCodeManifest } from "../../indexer/link/code/read-manifests.ts";
import { askCheckers } from "../../indexer/link/precise/ask-checkers.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { fetchPackage } from "../corpora/fetch-package.ts";
import { makeTable } from "../tables.ts";
import { cruiseFolder } from "./cruise-folder.ts";
import { findComponents } from "./find-cycles.ts";
import { listSources } from "./link-scripts.ts";
import { askChecker, type LinkTruth } from "./link-truth.ts";
import { countCompleteLists, type Score, type ScoredUses, scoreUses } from "./score-uses.ts";

/** Packages that ship their sources, and the folder with them. */
const PACKAGES: readonly (readonly [name: string, version: string, folder: string])[] = [
  ["rxjs", "7.8.2", "src"],
  ["zod", "4.6.7", "src"],
  ["@reduxjs/toolkit", "2.14.0", "src"],
  ["effect", "4.1.0", "src"],
  ["mobx", "7.1.3", "src"],
  ["@tanstack/query-core", "5.108.0", "src"],
  ["@trpc/server", "11.25.2", "src"],
  ["viem", "2.57.20", "."],
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    misses: { type: "string", default: "0" },
    cached: { type: "boolean", default: false },
    precise: { type: "boolean", default: false },
  },
});
const [workDir, ...folders] = positionals;
if (workDir === undefined) {
  console.error("usage: npm run bench:code-links -- WORKDIR [--misses N] [--cached] [--precise] [FOLDER…]");
  process.exit(2);
}
const mostMisses = Number(values.misses);
const rows: string[][] = [];
const sources: (readonly [label: string, folder: string])[] = folders.map((folder) => [folder, resolve(folder)]);
if (sources.length === 0) {
  for (const [name, version, inside] of PACKAGES) {
    sources.push([`${name} ${version}`, resolve(await fetchPackage(name, version, workDir), inside)]);
  }
}
for (const [label, folder] of sources) rows.push(await measure(label, folder));
console.log(
  makeTable(
    [
      "sources",
      "files",
      "parse s",
      "link s",
      "imports P / R",
      "names P / R",
      "calls P / R",
      "members P / R",
      "lists complete / none",
      "cycles here / cruiser",
    ],
    rows,
  ),
);

async function measure(label: string, folder: string): Promise<string[]> {
  const all = listSources(folder);
  const paths = all.filter((path) => codeLanguageOf(path) !== undefined && /\.[cm]?[tj]sx?$/.test(path));
  const parsing = process.cpuUsage();
  const files = paths.map((path): LinkFile => {
    const parsed = parseTypeScript({ path, text: readFileSync(join(folder, path), "utf8") });
    const code = values.cached ? passThroughCache(parsed) : parsed;
    return { collection: "code", id: `code:${path}`, path, hash: "", code, sectionOf: () => 0 };
  });
  const parsed = seconds(parsing);
  const manifests = all
    .filter(isCodeManifest)
    .map((path) => ({ collection: "code", path, text: readFileSync(join(folder, path), "utf8") }));
  const precise = values.precise ? await askOwnChecker(folder, paths, manifests) : undefined;
  const linking = process.cpuUsage();
  const linked = linkCode({ files, manifests, ...(precise !== undefined && { precise }) });
  const linkedIn = seconds(linking);
  const truth = askChecker(folder, paths);
  const imports = new Map(paths.map((path) => [path, new Set<string>()]));
  for (const [from, edges] of linked.edges.entries()) {
    for (const { kind, at, to } of edges) {
      if ((kind !== "imports" && kind !== "reexports") || !("file" in to) || to.symbol >= 0 || to.file === from)
        continue;
      if (truth.notJudged.has(`${paths[from]}:${at.line}`)) continue;
      imports.get(paths[from] as string)?.add(paths[to.file] as string);
    }
  }
  const given = new Set([...imports].flatMap(([from, targets]) => [...targets].map((to) => `${from} ${to}`)));
  show(
    "import missed",
    [...truth.imports].filter((edge) => !given.has(edge)),
  );
  show(
    "import wrong",
    [...given].filter((edge) => !truth.imports.has(edge)),
  );
  const right = [...given].filter((edge) => truth.imports.has(edge)).length;
  const importScore = { truth: truth.imports.size, given: given.size, rightOfTruth: right, rightOfGiven: right };
  const cruised = findComponents(await cruiseFolder(folder, paths));
  const cycles = findComponents(imports);
  const alike = JSON.stringify(cruised) === JSON.stringify(cycles);
  if (!alike)
    show(
      "cycle",
      [...cycles, ["----"], ...cruised].map((cycle) => cycle.slice(0, 9).join(" ")),
    );
  return [
    label,
    String(paths.length),
    parsed.toFixed(2),
    linkedIn.toFixed(2),
    showScore(importScore),
    scoreAndShow(linked, paths, truth, "names"),
    scoreAndShow(linked, paths, truth, "calls"),
    scoreAndShow(linked, paths, truth, "members"),
    showLists(linked, paths, truth),
    `${cycles.length} / ${cruised.length}${alike ? "" : " differ"}`,
  ];
}

async function askOwnChecker(dir: string, paths: readonly string[], manifests: readonly ManifestText[]) {
  const files = paths.map((path) => {
    const text = readFileSync(join(dir, path));
    const language = codeLanguageOf(path) ?? "";
    return { id: `code:${path}`, place: path, language, hash: hash("sha1", text), bytes: text.length };
  });
  const options = { dir, manifests, cacheDir: undefined, version: "", collection: "code" };
  const checked = await askCheckers(files, options);
  for (const { message } of checked?.diagnostics ?? []) process.stderr.write(`${message}\n`);
  return checked && { documents: checked.documents, leftOut: new Set<string>() };
}

function passThroughCache(file: CodeFile): CodeFile {
  const bytes = encodeCode({ file, sectionOf: [] });
  return { ...decodeOutline(bytes).file, uses: decodeCodeUses(bytes) };
}

function showLists(linked: LinkedCode, paths: readonly string[], truth: LinkTruth): string {
  const { used, complete, none } = countCompleteLists(linked, paths, truth);
  const share = (part: number): string => (used === 0 ? "-" : (part / used).toFixed(3));
  return `${share(complete)} / ${share(none)} of ${used}`;
}

function scoreAndShow(linked: LinkedCode, paths: readonly string[], truth: LinkTruth, what: ScoredUses): string {
  const score = scoreUses(linked, paths, truth, what);
  show(`${what} missed`, score.missed);
  show(`${what} wrong`, score.wrong);
  return showScore(score);
}

function show(kind: string, places: readonly string[]): void {
  if (places.length === 0 || mostMisses === 0) return;
  process.stderr.write(`${kind}: ${places.length}\n`);
  const step = Math.max(1, Math.floor(places.length / mostMisses));
  for (let at = 0; at < places.length && at < step * mostMisses; at += step) process.stderr.write(`  ${places[at]}\n`);
}

function showScore({ truth, given, rightOfTruth, rightOfGiven }: Score): string {
  const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(3));
  return `${share(rightOfGiven, given)} / ${share(rightOfTruth, truth)} of ${truth}`;
}

function seconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
