/**
 * A comparison as the Markdown tables that the README quotes.
 */
import { percentileOf } from "../indexer/cli/commands/eval.ts";
import type { Comparison, Pair } from "./compare-peers.ts";
import { showKilobytes, showMedianAndWorst } from "./cost-rows.ts";
import type { ProgramCost } from "./measure-program.ts";
import type { QueryCost } from "./measure-queries.ts";
import { makeTable, showBytes, showRatio, showSeconds } from "./tables.ts";

/** Builds and what came out of them. */
export function showBuilds(comparison: Comparison): string {
  const { builds, index, indexBytesWithoutText, renderSeconds } = comparison;
  const row = (
    name: string,
    pick: (cost: ProgramCost) => number | undefined,
    show: (value: number | undefined) => string,
  ): string[] => [
    name,
    show(medianOf(builds.map(({ treeline }) => pick(treeline)))),
    show(medianOf(builds.map(({ pagefind }) => pick(pagefind)))),
    showRatio(medianOf(builds.map(({ treeline, pagefind }) => ratioOf(pick(treeline), pick(pagefind))))),
  ];
  const pair = (name: string, { treeline, pagefind }: Pair<number>, show: (value: number) => string): string[] => [
    name,
    show(treeline),
    show(pagefind),
    showRatio(treeline / pagefind),
  ];
  const share = (pick: (cost: ProgramCost) => number | undefined): string =>
    showRatio(medianOf(builds.map(({ treeline, rebuild }) => ratioOf(pick(rebuild), pick(treeline)))));
  const table = makeTable(
    [`build (median of ${builds.length})`, "Treeline", "Pagefind", "ratio"],
    [
      row("CPU", ({ cpuSeconds }) => cpuSeconds, showSeconds),
      row("wall", ({ wallSeconds }) => wallSeconds, showSeconds),
      row("peak memory", ({ peakBytes }) => peakBytes, showBytes),
      pair("index", { treeline: index.treeline.bytes, pagefind: index.pagefind.bytes }, showBytes),
      pair("index without text", indexBytesWithoutText, showBytes),
      pair("objects", { treeline: index.treeline.objects, pagefind: index.pagefind.objects }, String),
    ],
  );
  return `${table}

Treeline reads the Markdown, Pagefind HTML; rendering that took ${showSeconds(renderSeconds)} more, which is not counted.
A build after 5 changed pages takes ${share(({ cpuSeconds }) => cpuSeconds)} of the CPU and ${share(({ wallSeconds }) => wallSeconds)} of the time of a full one.`;
}

/** What queries read, by class; medians, the worst in brackets. */
export function showQueries({ queries, interfaceBytes }: Comparison, clientBytes: number | undefined): string {
  type Row = Pair<readonly { readonly cold: QueryCost; readonly warm: QueryCost }[]>;
  const all: Row = {
    treeline: [...queries.values()].flatMap(({ treeline }) => treeline),
    pagefind: [...queries.values()].flatMap(({ pagefind }) => pagefind),
  };
  const rows = [...queries, ["all", all] as const].map(([name, { treeline, pagefind }]: readonly [string, Row]) => {
    const both = (show: (row: Row["treeline"]) => string): string[] => [show(treeline), show(pagefind)];
    return [
      `${name} (${treeline.length})`,
      ...both((list) => showKilobytes(list.map(({ warm }) => warm.postingBytes))),
      ...both((list) => showKilobytes(list.map(({ warm }) => warm.textBytes))),
      ...both((list) => showKilobytes(list.map(({ warm }) => warm.bytes))),
      ...both((list) => showKilobytes(list.map(({ cold }) => cold.bytes))),
      ...both((list) => showMedianAndWorst(list.map(({ warm }) => warm.waves))),
      ...both((list) => showMedianAndWorst(list.map(({ cold }) => cold.waves))),
    ];
  });
  const columns = ["postings kB", "text kB", "warm kB", "cold kB", "warm rounds", "cold rounds"];
  const table = makeTable(["query: Treeline, Pagefind", ...columns.flatMap((column) => [`${column} T`, "P"])], rows);
  const cold = (list: Row["treeline"]): number =>
    percentileOf(
      list.map((query) => query.cold.bytes),
      0.5,
    );
  const ownBytes =
    clientBytes === undefined
      ? `${showBytes(cold(all.treeline))} and a client's script, which \`--client\` names`
      : `${showBytes(cold(all.treeline) + clientBytes)}, ${showBytes(clientBytes)} of it the client`;
  const empty = [...queries].flatMap(([kind, { treeline, pagefind }]) => {
    const own = treeline.filter(({ hits }) => hits === 0).length;
    const peer = pagefind.filter(({ results }) => results === 0).length;
    return own + peer === 0 ? [] : [`${kind} ${own} and ${peer}`];
  });
  return `${table}

Queries that found nothing, Treeline and Pagefind: ${empty.length === 0 ? "none" : empty.join(", ")}.

A browser's first search, median, everything from the network: Treeline ${ownBytes}; Pagefind ${showBytes(cold(all.pagefind))} with its
engine, ${showBytes(cold(all.pagefind) + interfaceBytes)} in one round more with its ready-made interface.`;
}

/** What has to be uploaded after an edit. */
export function showUploads({ uploads }: Comparison): string {
  return makeTable(
    ["uploaded again", "Treeline", "Pagefind", "ratio"],
    uploads.map(({ edit, treeline, pagefind }) => [
      edit,
      `${showBytes(treeline.bytes)} in ${treeline.objects}`,
      `${showBytes(pagefind.bytes)} in ${pagefind.objects}`,
      pagefind.bytes === 0 ? "—" : showRatio(treeline.bytes / pagefind.bytes),
    ]),
  );
}

/** The median of what is known. */
export function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : percentileOf(known, 0.5);
}

/** Undefined where one is unknown. */
export function ratioOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}
