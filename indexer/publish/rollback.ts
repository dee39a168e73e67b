/**
 * Go back to a generation that was published before and is still kept: a switch of the pointer, and nothing is uploaded.
 */
import { InputError } from "../../src/core/errors.ts";
import { encodePointer, type PreviousGeneration } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { nearestNames, quoteName } from "../../src/core/text/nearest.ts";
import { type Clock, machineClock } from "../base/clock.ts";
import { nameFile } from "../index/pack-writer.ts";
import { keepGenerations } from "./kept-generations.ts";
import { type ObjectStore, typeOf } from "./object-store.ts";
import { NothingPublished, type Published, readFiles, readPublished } from "./published.ts";

const MAX_NEAREST = 3;

/** How to go back. */
export interface RollbackOptions {
  /** Id of a generation, or how it begins; the one that was current before when absent. */
  readonly to?: string;
  /** Find out whether it can be, and write nothing. */
  readonly dryRun?: boolean;
  readonly clock?: Clock;
}

/** What going back did, or would do. */
export interface RollbackSummary {
  readonly generation: string;
  readonly commit: string;
  readonly builtAt: string;
  /** The generation that was current before. */
  readonly replaced: string;
  /** Generations that stay beside the current one, the latest first. */
  readonly kept: readonly string[];
  readonly dryRun: boolean;
}

/** Go back. @throws {InputError} where there is nothing to go back to, or it is not whole. */
export async function rollBack(
  store: ObjectStore,
  { to, dryRun = false, clock = machineClock }: RollbackOptions = {},
): Promise<RollbackSummary> {
  const published = await readPublished(store);
  if (published === undefined) throw new NothingPublished(store.place);
  const target = chooseGeneration(published, to);
  const { generation, root, manifest } = target;
  const log = await checkWhole(store, target);
  const rootBytes = (await store.get(root))?.bytes;
  if (rootBytes === undefined || nameFile(rootBytes, "root") !== root) throw notWhole(generation, [root]);
  // Nothing is dropped: who goes back looks for what was good.
  const previous = keepGenerations(published, generation, Number.POSITIVE_INFINITY, clock.now());
  const bytes = Uint8Array.from(encodePointer({ generation, root, manifest, log, previous, rootBytes }));
  if (!dryRun && !(await store.put(POINTER_FILE, bytes, typeOf(POINTER_FILE), published.etag))) {
    throw new InputError(
      "somebody else published meanwhile, and nothing was changed: look at what is current now, and go back again if need be",
    );
  }
  return {
    generation,
    commit: target.commit,
    builtAt: target.builtAt,
    replaced: published.pointer.generation,
    kept: previous.map((one) => one.generation),
    dryRun,
  };
}

function chooseGeneration({ pointer }: Published, to: string | undefined): PreviousGeneration {
  const { previous, generation } = pointer;
  const [last] = previous;
  if (last === undefined) throw new InputError(`no generation is kept beside ${generation}, so there is no way back`);
  if (to === undefined) return last;
  const meant = to === "" ? [] : previous.filter((one) => one.generation.startsWith(to));
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  if (to === generation) throw new InputError(`${generation} is the current generation already`);
  const names = previous.map((one) => one.generation);
  throw new InputError(
    `${only === undefined ? "no kept generation is called" : "several kept generations begin with"} ${quoteName(to)}; there are ${names.join(", ")}`,
    nearestNames(to, names, MAX_NEAREST),
  );
}

/** The name of a generation's log, when all its files are there with their sizes. */
async function checkWhole(store: ObjectStore, target: PreviousGeneration): Promise<string> {
  const files = await readFiles(store, target);
  const log = files?.find(({ name }) => name.endsWith(".log"))?.name;
  if (files === undefined || log === undefined) throw notWhole(target.generation, [target.manifest]);
  const sizes = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]));
  const gone = files.filter(({ name, bytes }) => sizes.get(name) !== bytes).map(({ name }) => name);
  if (gone.length > 0) throw notWhole(target.generation, gone);
  return log;
}

function notWhole(generation: string, names: readonly string[]): InputError {
  const more = names.length > 1 ? ` and ${names.length - 1} more` : "";
  return new InputError(
    `generation ${generation} is not whole any more (${names[0]}${more} is missing or damaged), and nothing was changed: go back to another one, or publish its commit again`,
  );
}
