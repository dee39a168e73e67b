/**
 * The corpora of a store: which there are, and removing one.
 *
 * Removing leaves a mark, takes the pointer away and leaves all files, since readers are at them; `collect.ts` removes those later. The
 * pointer is removed whatever it holds by then: the S3 API of R2 knows no condition for that, and who publishes just before a
 * removal finds the same as who published long before it. Who switches the pointer at the same moment is refused by the
 * condition of the switch, and publishes anew into what is an empty place then.
 */
import { compareCorpora } from "../../src/core/corpus-order.ts";
import { FormatError } from "../../src/core/errors.ts";
import { decodePointer, isIndexFile } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { isCorpusName } from "../../src/surface/access/corpus-name.ts";
import { writeMark } from "./collect.ts";
import { MAX_POINTER_BYTES, type ObjectStore, sumBytes } from "./object-store.ts";
import { NothingPublished, readPublished, UnreadablePointer } from "./published.ts";
import { type Clock, inParallel, machineClock } from "./transfer.ts";

/** A removal that has not come through by then is given up, so that it meets no later publish. */
const REMOVAL_ENDS_MS = 10_000;

/** A corpus of a store. */
export interface StoredCorpus {
  /** `""` for that of the root. */
  readonly name: string;
  readonly generation: string;
  readonly commit: string;
  readonly builtAt: string;
  /** Of the current generation: its tables and its text. */
  readonly bytes: number;
  /** Generations that are kept beside it. */
  readonly kept: number;
}

/**
 * What there is in a store: its corpora, that of the root first, the others in the order of the numbers in their names, as the server
 * lists them; those whose pointer cannot be read, and why; names of those with files and no pointer, which were removed, or whose first
 * publish did not end.
 *
 * @throws {InputError} where the store cannot be read.
 */
export async function listCorpora(store: ObjectStore) {
  const names = ["", ...(await listNames(store))];
  const found = new Map<string, StoredCorpus | UnreadablePointer | "left over">();
  await inParallel(names, async (name) => {
    const one = await describeCorpus(name === "" ? store : store.within(name), name);
    if (one !== undefined) found.set(name, one);
  });
  const corpora: StoredCorpus[] = [];
  const unreadable: { name: string; problem: string }[] = [];
  const leftOver: string[] = [];
  for (const name of names) {
    const one = found.get(name);
    if (one === "left over") leftOver.push(name);
    else if (one instanceof UnreadablePointer) unreadable.push({ name, problem: one.message });
    else if (one !== undefined) corpora.push(one);
  }
  return { corpora, unreadable, leftOver };
}

/** Names of the folders of a store that may be corpora, in the order of the numbers in them. */
export async function listNames(store: ObjectStore): Promise<readonly string[]> {
  return (await store.folders()).filter(isCorpusName).sort(compareCorpora);
}

/**
 * Remove a corpus: nobody finds it any more, and its files go with a later collection. One that was removed already stays so.
 *
 * @param store The corpus's own.
 * @returns The generation that was current, `""` where the pointer could not be read or was removed before; and the files that stay.
 * @throws {NothingPublished} where there is none.
 */
export async function removeCorpus(
  store: ObjectStore,
  corpus: string,
  { dryRun = false, clock = machineClock }: { readonly dryRun?: boolean; readonly clock?: Clock } = {},
) {
  const pointer = await store.get(POINTER_FILE, MAX_POINTER_BYTES);
  const objects = await store.list();
  const files = objects.filter(({ name }) => isIndexFile(name));
  if (pointer === undefined && files.length === 0) throw new NothingPublished(store.place);
  if (!dryRun && pointer !== undefined) {
    await writeMark(store, clock);
    await store.remove([POINTER_FILE], clock.elapsed() + REMOVAL_ENDS_MS);
  }
  return {
    corpus,
    generation: pointer === undefined ? "" : readGeneration(pointer.bytes),
    files: files.length,
    bytes: sumBytes(files),
    dryRun,
  };
}

async function describeCorpus(
  store: ObjectStore,
  name: string,
): Promise<StoredCorpus | UnreadablePointer | "left over" | undefined> {
  try {
    const published = await readPublished(store);
    if (published === undefined) {
      // The root may hold nothing but corpora; files of an index there are told by `gc`.
      return name !== "" && (await store.list()).some((object) => isIndexFile(object.name)) ? "left over" : undefined;
    }
    const { pointer, commit, builtAt, indexBytes, textBytes } = published;
    const { generation, previous } = pointer;
    return { name, generation, commit, builtAt, bytes: indexBytes + textBytes, kept: previous.length };
  } catch (error) {
    if (error instanceof UnreadablePointer) return error;
    throw error;
  }
}

function readGeneration(pointer: Uint8Array): string {
  try {
    return decodePointer(pointer).generation;
  } catch (error) {
    if (error instanceof FormatError) return "";
    throw error;
  }
}
