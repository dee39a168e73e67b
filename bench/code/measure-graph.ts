/**
 * The graph of imports beside those of dependency-cruiser and madge: sets of files that import each other, files without
 * an import in or out, files that no other imports.
 *
 *   npm run bench:graph -- TOOLS [--misses N] FOLDER…
 *
 * TOOLS is a folder in which both peers are installed (`npm install dependency-cruiser madge typescript`), outside of this
 * project. Prints Markdown, a row for each folder: here / peer, and where they differ how many files only one of them
 * has. `--misses` lists these.
 */
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { defaultConfig } from "../../indexer/config/config.ts";
import { findCycles } from "../../indexer/topics/graph/insights.ts";
import { makeFileGraph, targetsOf } from "../../indexer/topics/graph/link-graph.ts";
import { makeTable } from "../tables.ts";
import { findComponents } from "./find-cycles.ts";
import { linkScripts } from "./link-scripts.ts";
import { askMadge, cruise, type FileImports } from "./peer-graphs.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: "string", default: "0" } },
});
const [tools, ...folders] = positionals;
if (tools === undefined || folders.length === 0) {
  console.error("usage: npm run bench:graph -- TOOLS [--misses N] FOLDER…");
  process.exit(2);
}
const mostMisses = Number(values.misses);
const HEADS = [
  "sources",
  "files",
  "imports here / cruiser",
  "components here / cruiser",
  "files in them, of types alone",
  "isolated here / cruiser's orphans",
  "no importers here / cruiser",
  "no importers here / madge's orphans",
];
const rows = folders.map((folder) => measure(tools, resolve(folder), folder));
console.log(makeTable(HEADS, rows));

function measure(toolFolder: string, folder: string, label: string): string[] {
  const { paths, linked } = linkScripts(folder);
  const { graph } = defaultConfig();
  const { nodes, links } = makeFileGraph(linked, graph);
  const cycles = findCycles({ nodes, links });
  const pathOf = (node: number): string => nodes[node]?.path ?? "";
  const imports: FileImports = new Map(
    [...nodes.keys()].map((node) => [
      pathOf(node),
      new Set([...links.targets.subarray(links.starts[node], links.starts[node + 1])].map(pathOf)),
    ]),
  );
  const sources = [...nodes.keys()].filter((node) => (nodes[node]?.file ?? -1) >= 0);
  const noImporters = sources.filter((node) => links.fanIn[node] === 0);
  const isolated = new Set(noImporters.filter((node) => targetsOf(links, node).length === 0).map(pathOf));
  const unimported = new Set(noImporters.map(pathOf));
  const cruised = cruise(toolFolder, folder, paths);
  const madge = askMadge(toolFolder, folder, paths);
  const own = findComponents(imports).map((files) => files.join(" "));
  const theirs = findComponents(cruised.imports).map((files) => files.join(" "));
  if (own.length !== cycles.length) throw new Error(`${own.length} components, but ${cycles.length} cycles`);
  for (const { path } of cycles) checkCycle(path.map(pathOf), imports);
  return [
    label,
    String(paths.length),
    compare("import", edgesOf(imports, paths), edgesOf(cruised.imports, paths)),
    compare("component", new Set(own), new Set(theirs)),
    `${cycles.reduce((sum, { size }) => sum + size, 0)}, ${cycles.filter(({ typeOnly }) => typeOnly).length}`,
    compare("isolated", isolated, cruised.orphans),
    compare("no importer (cruiser)", unimported, unimportedOf(cruised.imports)),
    compare("no importer (madge)", unimported, madge.orphans),
  ];
}

function edgesOf(imports: FileImports, paths: readonly string[]): Set<string> {
  const known = new Set(paths);
  const edges = [...imports].flatMap(([from, targets]) => [...targets].map((to) => [from, to] as const));
  return new Set(edges.filter(([from, to]) => known.has(from) && known.has(to)).map((edge) => edge.join(" ")));
}

function unimportedOf(imports: FileImports): Set<string> {
  const imported = new Set([...imports.values()].flatMap((targets) => [...targets]));
  return new Set([...imports.keys()].filter((path) => !imported.has(path)));
}

function checkCycle(path: readonly string[], imports: FileImports): void {
  for (const [at, from] of path.entries()) {
    const to = path[(at + 1) % path.length] as string;
    if (imports.get(from)?.has(to) !== true) throw new Error(`${from} does not import ${to}: no cycle`);
  }
}

function compare(what: string, own: ReadonlySet<string>, theirs: ReadonlySet<string>): string {
  const onlyHere = [...own].filter((one) => !theirs.has(one));
  const onlyThere = [...theirs].filter((one) => !own.has(one));
  for (const [where, list] of [
    ["here", onlyHere],
    ["there", onlyThere],
  ] as const) {
    if (mostMisses > 0 && list.length > 0) process.stderr.write(`${what}, only ${where}: ${list.length}\n`);
    for (const one of list.slice(0, mostMisses)) process.stderr.write(`  ${one.slice(0, 300)}\n`);
  }
  const difference = onlyHere.length + onlyThere.length;
  return `${own.size} / ${theirs.size}${difference === 0 ? "" : ` (${onlyHere.length} only here, ${onlyThere.length} only there)`}`;
}
