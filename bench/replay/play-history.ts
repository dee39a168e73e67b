/** Plays a history of pages: each edit is built into a new folder, on the index of the edit before. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { readByteKinds } from "../byte-kinds.ts";
import { applyEdit, type Edit, listPages } from "../edits.ts";
import { listNewFiles, listStoredFiles, type StoredFiles, sumFiles } from "../index-files.ts";
import { measureProgram, type ProgramCost } from "../measure-program.ts";
import { isPagefindIndexFile, pagefindArguments } from "../pagefind/program.ts";
import { renderChanges, renderSite } from "../pagefind/render-site.ts";
import type { History } from "./histories.ts";

/** What one edit cost. */
export interface PlayedEdit {
  /** 0 for the base. */
  readonly at: number;
  readonly name: string;
  /** Pages that are new, changed or gone. */
  readonly pages: number;
  /** Gzip of the new text of these pages, all in one. */
  readonly gzipBytes: number;
  /** Files that the generation before did not have, the pointer among them. */
  readonly newBytes: number;
  readonly indexBytes: number;
  /** New bytes by table; `text`, and the endings of other files. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly shards: number;
  /** Undefined where the build was not measured. */
  readonly cost: ProgramCost | undefined;
  /** Why the build did not use its base; `""` where it did. */
  readonly notice: string;
  readonly pagefind: { readonly newBytes: number; readonly cpuSeconds: number } | undefined;
}

/** Builds pages into a folder. */
export type BuildPages = (
  dir: string,
  out: string,
  base?: string,
) => Promise<{ readonly notice: string; readonly cost?: ProgramCost }>;

/** What to play. */
export interface PlayRequest {
  readonly history: History;
  /** Folder for pages and indexes. The last index stays in `index`, its pages in `pages`. */
  readonly room: string;
  /** Program of the peer, where it is to build the same pages as HTML. */
  readonly pagefind?: string | undefined;
  readonly build: BuildPages;
}

/** Bytes that a commit may cost at most, of which nine of ten commits have to stay below. */
export function barOf({ gzipBytes }: Pick<PlayedEdit, "gzipBytes">): number {
  return 120_000 + 6 * gzipBytes;
}

/** True where the base was no use, or more than half of the index is new. */
export function isRewrite({
  notice,
  newBytes,
  indexBytes,
}: Pick<PlayedEdit, "notice" | "newBytes" | "indexBytes">): boolean {
  return notice !== "" || newBytes > indexBytes / 2;
}

/** Play a history. The first result is the base, of which everything is new. */
export async function* playHistory({ history, room, pagefind, build }: PlayRequest): AsyncGenerator<PlayedEdit> {
  const pages = join(room, "pages");
  const site = join(room, "site");
  for (const name of ["index", "pagefind"]) rmSync(join(room, name), { recursive: true, force: true });
  for (const folder of [pages, site]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  applyEdit(pages, history.base);
  if (pagefind !== undefined) renderSite(pages, listPages(pages), site);
  let at = 0;
  const play = async (edit: Edit): Promise<PlayedEdit> => {
    const texts = [...edit.changes.values()].map((text = "") => text);
    const hasBase = at > 0;
    return {
      at: at++,
      name: edit.name,
      pages: edit.changes.size,
      gzipBytes: gzipSync(texts.join("\n")).length,
      ...(await buildNext(room, hasBase, build)),
      pagefind: pagefind === undefined ? undefined : await buildPeer(pagefind, room, site),
    };
  };
  yield await play({ name: "base", changes: history.base });
  for (const edit of history.edits(pages)) {
    applyEdit(pages, edit.changes);
    if (pagefind !== undefined) applyEdit(site, renderChanges(edit.changes));
    yield await play(edit);
  }
}

type Built = Omit<PlayedEdit, "at" | "name" | "pages" | "gzipBytes" | "pagefind">;

async function buildNext(room: string, hasBase: boolean, build: BuildPages): Promise<Built> {
  const out = join(room, "index");
  const before = replaceFolder(out, `${out}-before`);
  const { notice, cost } = await build(join(room, "pages"), out, hasBase ? `${out}-before` : undefined);
  const stored = listStoredFiles(out);
  const fresh = listNewFiles(before, stored);
  return {
    newBytes: sumFiles(fresh).bytes,
    indexBytes: sumFiles(stored).bytes,
    ...(await readKinds(out, fresh)),
    cost,
    notice,
  };
}

async function buildPeer(program: string, room: string, site: string): Promise<PlayedEdit["pagefind"]> {
  const out = join(room, "pagefind");
  const before = replaceFolder(out, `${out}-before`, isPagefindIndexFile);
  const { cpuSeconds = 0 } = await measureProgram(program, pagefindArguments(site, out));
  const stored = listStoredFiles(out, isPagefindIndexFile);
  return { newBytes: sumFiles(listNewFiles(before, stored)).bytes, cpuSeconds };
}

/** Moves a folder out of the way of the next one. The result are its files; none where there is no folder yet. */
function replaceFolder(folder: string, before: string, isCounted?: (path: string) => boolean): StoredFiles {
  rmSync(before, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  renameSync(folder, before);
  return listStoredFiles(before, isCounted);
}

async function readKinds(dir: string, files: StoredFiles): Promise<Pick<PlayedEdit, "kinds" | "shards">> {
  const { index } = await openDiskIndex(dir);
  const reader = new IndexReader(index, "all");
  const known = await readByteKinds(reader);
  const kinds = new Map<string, number>();
  for (const [file, { bytes }] of files) {
    const ending = extname(file);
    const counted = ending === ".pack" ? known.count({ file, offset: 0, length: bytes }) : [[ending, bytes] as const];
    for (const [kind, count] of counted) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
  return { kinds, shards: reader.shards.length };
}
