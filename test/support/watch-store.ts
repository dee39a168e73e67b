/**
 * What must hold in a store after every change, whoever is at work: each generation of each pointer is whole, and what was
 * current less than an hour ago is there.
 */

import type { LocalIndex } from "../../indexer/publish/publish.ts";
import { STAYS_MS } from "../../indexer/publish/published.ts";
import { servedGenerations } from "./check-published.ts";
import { type FakeState, viewOf } from "./fake-store.ts";
import type { VirtualTime } from "./virtual-time.ts";

/**
 * Watch a store in which some indexes are published. The function throws what was ever wrong.
 *
 * @param corpora Names; `""` for that of the root.
 */
export function watchStore(
  state: FakeState,
  indexes: readonly LocalIndex[],
  corpora: readonly string[],
  clock: VirtualTime,
): () => void {
  let wrong: unknown;
  const looks = corpora.map((corpus) => watchCorpus(state, indexes, corpus, clock));
  state.onChange = (name) => {
    try {
      for (const look of looks) look(name);
    } catch (error) {
      wrong ??= error;
    }
  };
  return () => {
    if (wrong !== undefined) throw wrong;
  };
}

/** What looks at a corpus after a change. It throws what is wrong. */
function watchCorpus(
  state: FakeState,
  indexes: readonly LocalIndex[],
  corpus: string,
  clock: VirtualTime,
): (changed: string) => void {
  const prefix = corpus === "" ? "" : `${corpus}/`;
  let current = "";
  /** What has to stay for who reads it, and until when. */
  let stays: { readonly names: readonly string[]; readonly until: number }[] = [];
  return (changed) => {
    const [now = ""] = servedGenerations(viewOf(state.objects, prefix));
    if (now !== current) {
      const old = indexes.find(({ pointer }) => pointer.generation === current);
      if (old !== undefined) {
        stays.push({ names: old.files.map((file) => prefix + file.name), until: clock.now() + STAYS_MS });
      }
      current = now;
    }
    stays = stays.filter(({ until }) => clock.now() < until);
    if (!state.objects.has(changed) && stays.some(({ names }) => names.includes(changed))) {
      throw new Error(`${changed} was removed less than an hour after it was current`);
    }
  };
}
