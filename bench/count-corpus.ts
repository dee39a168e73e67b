/**
 * Everything about a corpus that can be counted and is the same on every machine.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { meanOf } from "../indexer/cli/commands/eval.ts";
import type { Figures } from "./compare-figures.ts";
import { drawQueries } from "./draw-queries.ts";
import { applyEdit, listPages, planEdits } from "./edits.ts";
import { listStoredFiles, listUploads, sumFiles } from "./index-files.ts";
import { type MeasuredQuery, measureClasses, openMeasuredIndex, type QueryCost } from "./measure-queries.ts";
import { buildTreeline } from "./treeline.ts";

const QUERIES = 20;

/**
 * Counts of the pages in `room/pages`; indexes are built beside them.
 *
 * Of queries the means, which move with every query, and the worst; uploads after each edit where they are asked for: each costs a build.
 */
export async function countCorpus(room: string, seed: number, withUploads: boolean): Promise<Figures> {
  const pages = join(room, "pages");
  const out = join(room, "index");
  await buildTreeline(pages, out);
  const index = await openMeasuredIndex(out);
  const stored = listStoredFiles(out);
  const { objects, bytes } = sumFiles(stored);
  const queries = await measureClasses(index, drawQueries(pages, QUERIES, seed));
  const uploads: Record<string, Figures> = {};
  for (const { name, changes } of withUploads ? planEdits(pages, listPages(pages), seed) : []) {
    const edited = join(room, "edited");
    const undo = applyEdit(pages, changes);
    await buildTreeline(pages, edited, out);
    undo();
    uploads[name] = { ...listUploads(stored, listStoredFiles(edited)) };
    rmSync(edited, { recursive: true });
  }
  return {
    index: {
      objects,
      bytes,
      pointer: index.pointerBytes,
      text: index.textBytes,
      ...Object.fromEntries(index.kinds.tableBytes),
    },
    queries: Object.fromEntries([...queries].map(([kind, rows]) => [kind, countQueries(rows)])),
    uploads,
  };
}

function countQueries(rows: readonly MeasuredQuery[]): Figures {
  return {
    withoutHits: rows.filter(({ hits }) => hits === 0).length,
    cold: countCosts(rows.map(({ cold }) => cold)),
    warm: countCosts(rows.map(({ warm }) => warm)),
  };
}

function countCosts(costs: readonly QueryCost[]): Figures {
  const mean = (pick: (cost: QueryCost) => number): number => Number(meanOf(costs.map(pick)).toFixed(2));
  const worst = (pick: (cost: QueryCost) => number): number => Math.max(...costs.map(pick));
  return {
    waves: mean(({ waves }) => waves),
    worstWaves: worst(({ waves }) => waves),
    reads: mean(({ reads }) => reads),
    bytes: Math.round(mean(({ bytes }) => bytes)),
    worstBytes: worst(({ bytes }) => bytes),
    postingBytes: Math.round(mean(({ postingBytes }) => postingBytes)),
    textBytes: Math.round(mean(({ textBytes }) => textBytes)),
  };
}
