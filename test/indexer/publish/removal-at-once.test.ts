/** Removing a corpus in the very moment in which others publish and collect there. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRandom } from "../../../bench/random.ts";
import { collectGarbage, removeCorpus } from "../../../indexer/publish/collect.ts";
import type { ObjectStore } from "../../../indexer/publish/object-store.ts";
import { publishIndex } from "../../../indexer/publish/publish.ts";
import { STAYS_MS } from "../../../indexer/publish/published.ts";
import { InputError } from "../../../src/core/errors.ts";
import { createFakeState, Lost, openFakeStore } from "../../support/fake-store.ts";
import { runs } from "../../support/runs.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";
import { watchStore } from "../../support/watch-store.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const MINUTE_MS = 60_000;

const [first, second] = [await buildSmallIndex(0), await buildSmallIndex(1)];

/** A store where a corpus was published, removed and published again where that is wished, and left alone for hours. */
async function makeOld(isMarked: boolean): Promise<{
  readonly clock: VirtualTime;
  readonly store: ObjectStore;
  readonly rethrow: () => void;
}> {
  const [clock, state] = [createVirtualTime(START), createFakeState()];
  const rethrow = watchStore(state, [first, second], ["v2"], clock);
  const store = openFakeStore(state, { clock }).within("v2");
  await clock.run(publishIndex(first, store, { clock }));
  if (isMarked) {
    await clock.run(removeCorpus(store, "v2", { clock }));
    await clock.run(publishIndex(first, store, { clock }));
  }
  await clock.run(clock.sleep(3 * STAYS_MS));
  return { clock, store, rethrow };
}

function expectHarmless(error: unknown): void {
  // Who is too slow gives up, and there may be nothing to collect: the state alone counts here.
  expect(error instanceof Lost || error instanceof InputError).toBe(true);
}

describe("a corpus that is removed", () => {
  it("keeps its mark where a collector takes away an earlier one, and again because the answer was lost", async () => {
    const { clock, store, rethrow } = await makeOld(true);
    const repeating: ObjectStore = {
      ...store,
      async remove(names, deadline) {
        await store.remove(names, deadline);
        await clock.sleep(8_000);
        await store.remove(names, deadline);
      },
    };
    const collecting = collectGarbage(repeating, { clock, isNamed: true });
    const removing = clock.sleep(1_000).then(() => removeCorpus(store, "v2", { clock }));
    await clock.run(Promise.all([collecting, removing]));
    await clock.run(publishIndex(second, store, { clock, keep: 0 }));
    await clock.run(clock.sleep(15 * MINUTE_MS));
    await clock.run(collectGarbage(store, { clock, isNamed: true }));
    rethrow();
  });

  it("has a mark that is no older than the removal, where the answer to writing it takes long", async () => {
    const { clock, store, rethrow } = await makeOld(false);
    let isSlow = true;
    const slow: ObjectStore = {
      ...store,
      async put(...given) {
        const isDone = await store.put(...given);
        if (isSlow) await clock.sleep(20 * MINUTE_MS);
        isSlow = false;
        return isDone;
      },
    };
    await clock.run(removeCorpus(slow, "v2", { clock }));
    await clock.run(clock.sleep(45 * MINUTE_MS));
    await clock.run(collectGarbage(store, { clock, isNamed: true }));
    rethrow();
    await clock.run(clock.sleep(STAYS_MS));
    expect(await clock.run(collectGarbage(store, { clock, isNamed: true }))).toMatchObject({
      isRemoved: true,
      young: 0,
    });
    expect(await clock.run(store.list())).toEqual([]);
  });

  it("keeps for an hour what was current, where somebody publishes and collects in that moment", async () => {
    const anyMoment = fc.record({
      /** Whether the corpus was removed before, so that a mark is there. */
      isMarked: fc.boolean(),
      seed: fc.nat(),
      slowness: fc.constantFrom(20, 2_000, 4_000),
      collects: fc.nat({ max: 10_000 }),
      publishes: fc.nat({ max: 60_000 }),
      lives: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(anyMoment, async ({ isMarked, seed, slowness, collects, publishes, lives }) => {
        const [clock, state, random] = [createVirtualTime(START), createFakeState(), makeRandom(seed)];
        const rethrow = watchStore(state, [first, second], ["v2"], clock);
        const delay = (): number => random() * slowness;
        const calm = openFakeStore(state, { clock }).within("v2");
        await clock.run(publishIndex(first, calm, { clock }));
        if (isMarked) {
          await clock.run(removeCorpus(calm, "v2", { clock }));
          await clock.run(publishIndex(first, calm, { clock }));
        }
        await clock.run(clock.sleep(3 * STAYS_MS));
        const at = async (ms: number, work: (store: ObjectStore) => Promise<unknown>): Promise<unknown> => {
          await clock.sleep(ms);
          return work(openFakeStore(state, { clock, delay }).within("v2")).catch(expectHarmless);
        };
        const killed = new Promise<void>((resolve) => {
          const options = { clock, delay, onKilled: resolve, ...(lives !== undefined && { lives }) };
          void clock
            .sleep(5_000)
            .then(() => removeCorpus(openFakeStore(state, options).within("v2"), "v2", { clock }))
            .catch(expectHarmless)
            .then(() => resolve());
        });
        const collect = (store: ObjectStore): Promise<unknown> => collectGarbage(store, { clock, isNamed: true });
        const publish = (store: ObjectStore): Promise<unknown> => publishIndex(second, store, { clock, keep: 0 });
        await clock.run(Promise.all([killed, at(collects, collect), at(publishes, publish)]));
        for (let time = 0; time < 3; time++) {
          await clock.run(clock.sleep(15 * MINUTE_MS));
          await clock.run(collect(calm));
        }
        rethrow();
      }),
      { numRuns: runs(400) },
    );
  });
});
