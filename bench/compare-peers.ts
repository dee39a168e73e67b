/**
 * The measurements of `run.ts`: both programs on the same pages, one after the other in turn.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { REAL_CORPORA } from "./corpora/packages.ts";
import { writeRealCorpus } from "./corpora/real-pages.ts";
import { drawQueries, type QueryClass } from "./draw-queries.ts";
import { applyEdit, type Edit, listPages, planEdits, TIMED_EDIT } from "./edits.ts";
import { type Amount, listStoredFiles, listUploads, type StoredFiles, sumFiles } from "./index-files.ts";
import { measureProgram, type ProgramCost } from "./measure-program.ts";
import { type MeasuredQuery, measureClasses, openMeasuredIndex } from "./measure-queries.ts";
import { fetchPagefind, isPagefindIndexFile, isPagefindText, pagefindArguments } from "./pagefind/program.ts";
import { renderChanges, renderSite } from "./pagefind/render-site.ts";
import { openPeer, type PeerQuery } from "./pagefind/search.ts";
import { buildTreeline } from "./treeline.ts";
import { writeWholeFolder } from "./whole-folder.ts";

export type Size = keyof typeof REAL_CORPORA;

/** What to compare. */
export interface ComparisonRequest {
  readonly size: Size;
  readonly workDir: string;
  readonly runs: number;
  /** Queries of each class. */
  readonly queries: number;
  readonly seed: number;
  readonly progress: (step: string) => void;
}

/** A pair of figures. */
export interface Pair<T, P = T> {
  readonly treeline: T;
  readonly pagefind: P;
}

/** Everything that was measured. */
export interface Comparison {
  readonly pages: number;
  /** One a run, in the order of the runs. */
  readonly builds: readonly (Pair<ProgramCost> & { readonly rebuild: ProgramCost })[];
  readonly renderSeconds: number;
  readonly index: Pair<Amount>;
  readonly indexBytesWithoutText: Pair<number>;
  readonly queries: ReadonlyMap<QueryClass, Pair<readonly MeasuredQuery[], readonly PeerQuery[]>>;
  /** Gzip of Pagefind's ready-made interface. */
  readonly interfaceBytes: number;
  readonly uploads: readonly (Pair<Amount> & { readonly edit: string })[];
}

interface Places {
  readonly pages: string;
  readonly site: string;
  readonly pagefind: string;
  readonly out: (name: string) => string;
}

/** Build, ask and edit one corpus with both. */
export async function comparePeers(request: ComparisonRequest): Promise<Comparison> {
  const { size, workDir, seed, progress } = request;
  const packages = join(workDir, "packages");
  progress("pages");
  const corpus = join(workDir, "corpora", size);
  await writeWholeFolder(corpus, (dir) => writeRealCorpus(REAL_CORPORA[size], dir, packages));
  const room = join(workDir, size);
  rmSync(room, { recursive: true, force: true });
  const places: Places = {
    pages: join(room, "pages"),
    site: join(room, "site"),
    pagefind: await fetchPagefind(packages),
    out: (name) => join(room, name),
  };
  // Edits are made in a copy.
  cpSync(corpus, places.pages, { recursive: true });
  mkdirSync(places.site);
  const paths = listPages(places.pages);
  const started = performance.now();
  renderSite(places.pages, paths, places.site);
  const renderSeconds = (performance.now() - started) / 1000;
  const edits = planEdits(places.pages, paths, seed);
  const builds = await measureBuilds(places, edits, request);
  const treelineFiles = listStoredFiles(places.out("treeline"));
  const pagefindFiles = listStoredFiles(places.out("pagefind"), isPagefindIndexFile);
  progress("queries");
  const { queries, interfaceBytes, textBytes } = await measureQueries(places, request);
  const uploads = await measureUploads(places, edits, { treeline: treelineFiles, pagefind: pagefindFiles }, progress);
  const index = { treeline: sumFiles(treelineFiles), pagefind: sumFiles(pagefindFiles) };
  return {
    pages: paths.length,
    builds,
    renderSeconds,
    index,
    indexBytesWithoutText: {
      treeline: index.treeline.bytes - textBytes,
      pagefind: index.pagefind.bytes - sumFiles(pagefindFiles, isPagefindText).bytes,
    },
    queries,
    interfaceBytes,
    uploads,
  };
}

/** Builds in turn: Treeline, Pagefind, Treeline once more after an edit. */
async function measureBuilds(
  { pages, site, pagefind, out }: Places,
  edits: readonly Edit[],
  { runs, progress }: ComparisonRequest,
): Promise<Comparison["builds"]> {
  const edit = edits.find(({ name }) => name === TIMED_EDIT);
  const builds: (Pair<ProgramCost> & { readonly rebuild: ProgramCost })[] = [];
  for (let run = 0; run < runs; run++) {
    progress(`builds ${run + 1} of ${runs}`);
    for (const name of ["treeline", "pagefind", "rebuild"]) rmSync(out(name), { recursive: true, force: true });
    const treeline = await buildTreeline(pages, out("treeline"));
    const peer = await measureProgram(pagefind, pagefindArguments(site, out("pagefind")));
    const undo = applyEdit(pages, edit?.changes ?? new Map());
    const rebuild = await buildTreeline(pages, out("rebuild"), out("treeline"));
    undo();
    builds.push({ treeline, pagefind: peer, rebuild });
  }
  return builds;
}

async function measureQueries(
  { pages, out }: Places,
  { queries, seed }: ComparisonRequest,
): Promise<Pick<Comparison, "queries" | "interfaceBytes"> & { readonly textBytes: number }> {
  const drawn = drawQueries(pages, queries, seed);
  const index = await openMeasuredIndex(out("treeline"));
  const own = await measureClasses(index, drawn);
  const peer = await openPeer(out("pagefind"));
  try {
    const measured = new Map<QueryClass, Pair<readonly MeasuredQuery[], readonly PeerQuery[]>>();
    for (const [kind, texts] of drawn) {
      const rows: PeerQuery[] = [];
      for (const text of texts) rows.push(await peer.measure(text));
      measured.set(kind, { treeline: own.get(kind) ?? [], pagefind: rows });
    }
    return { queries: measured, interfaceBytes: peer.interfaceBytes, textBytes: index.textBytes };
  } finally {
    await peer.close();
  }
}

/** Each edit made, both built again, and the edit taken back. */
async function measureUploads(
  { pages, site, pagefind, out }: Places,
  edits: readonly Edit[],
  before: Pair<StoredFiles>,
  progress: (step: string) => void,
): Promise<Comparison["uploads"]> {
  const uploads: (Pair<Amount> & { readonly edit: string })[] = [];
  for (const { name, changes } of edits) {
    progress(`edit: ${name}`);
    for (const folder of ["edited", "edited-peer"]) rmSync(out(folder), { recursive: true, force: true });
    const undo = [applyEdit(pages, changes), applyEdit(site, renderChanges(changes))];
    await buildTreeline(pages, out("edited"), out("treeline"));
    await measureProgram(pagefind, pagefindArguments(site, out("edited-peer")));
    for (const back of undo) back();
    uploads.push({
      edit: name,
      treeline: listUploads(before.treeline, listStoredFiles(out("edited"))),
      pagefind: listUploads(before.pagefind, listStoredFiles(out("edited-peer"), isPagefindIndexFile)),
    });
  }
  return uploads;
}
