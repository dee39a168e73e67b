/**
 * What readers find while publishers, collectors and people who go back are at work in one store, all at once, killed and cut off at
 * any moment: after each single change, all generations of the pointer whole.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRandom } from "../../../bench/random.ts";
import { collectGarbage } from "../../../indexer/publish/collect.ts";
import { STAYS_MS } from "../../../indexer/publish/kept-generations.ts";
import type { LocalIndex } from "../../../indexer/publish/local-index.ts";
import type { ObjectStore } from "../../../indexer/publish/object-store.ts";
import { publishIndex } from "../../../indexer/publish/publish.ts";
import { rollBack } from "../../../indexer/publish/rollback.ts";
import { InputError } from "../../../src/core/errors.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { servedGenerations } from "../../support/check-published.ts";
import { createFakeState, type FakeState, Lost, openFakeStore } from "../../support/fake-store.ts";
import { runs } from "../../support/runs.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const MINUTE_MS = 60_000;

/** One who does something to the store. */
interface Actor {
  readonly what: "publish" | "rollback" | "collect";
  /** Minutes after the start, and seconds after that. */
  readonly minutes: number;
  readonly seconds: number;
  readonly index: number;
  readonly keep: number;
  /** Requests after which they are killed. */
  readonly lives: number | undefined;
}

const indexes = await Promise.all([0, 1, 2, 3].map(buildSmallIndex));

const anyActor: fc.Arbitrary<Actor> = fc.record({
  what: fc.constantFrom("publish", "publish", "publish", "collect", "collect", "rollback"),
  // Few moments, so that many meet at one.
  minutes: fc.constantFrom(0, 1, 58, 59, 60, 61, 75, 119, 122, 180, 240, 241),
  seconds: fc.nat({ max: 59 }),
  index: fc.nat({ max: indexes.length - 1 }),
  keep: fc.nat({ max: 2 }),
  lives: fc.option(fc.nat({ max: 14 }), { nil: undefined, freq: 3 }),
});

const anyStory = fc.record({
  actors: fc.array(anyActor, { minLength: 2, maxLength: 14 }),
  seed: fc.nat(),
  /** Share of requests that are lost. */
  losses: fc.constantFrom(0, 0, 0.1),
  /** Longest a request takes to its effect, and from there to its answer, in milliseconds. */
  slowness: fc.constantFrom(10, 1_000, 8_000),
});

type Story = typeof anyStory extends fc.Arbitrary<infer T> ? T : never;

/** Watch a store. The function throws what was ever wrong. */
function watch(state: FakeState, clock: VirtualTime): () => void {
  let wrong: unknown;
  let current = "";
  /** What has to stay for who reads it, and until when. */
  let stays: { readonly names: readonly string[]; readonly until: number }[] = [];
  state.onChange = (name) => {
    try {
      const [now = ""] = servedGenerations(state.objects);
      if (now !== current) {
        const old = indexes.find(({ pointer }) => pointer.generation === current);
        if (old !== undefined) {
          stays.push({ names: old.files.map((file) => file.name), until: clock.now() + STAYS_MS });
        }
        current = now;
      }
      if (name === POINTER_FILE) return;
      stays = stays.filter(({ until }) => clock.now() < until);
      if (!state.objects.has(name) && stays.some(({ names }) => names.includes(name))) {
        throw new Error(`${name} was removed less than an hour after it was current`);
      }
    } catch (error) {
      wrong ??= error;
    }
  };
  return () => {
    if (wrong !== undefined) throw wrong;
  };
}

async function act(actor: Actor, clock: VirtualTime, store: ObjectStore): Promise<void> {
  await clock.sleep(actor.minutes * MINUTE_MS + actor.seconds * 1000);
  try {
    if (actor.what === "collect") await collectGarbage(store, { clock });
    else if (actor.what === "rollback") await rollBack(store, { clock });
    else await publishIndex(indexes[actor.index] as LocalIndex, store, { keep: actor.keep, clock });
  } catch (error) {
    // A request was lost, or there was nothing to go back to: the state alone counts here.
    if (!(error instanceof Lost || error instanceof InputError)) throw error;
  }
}

async function tell({ actors, seed, losses, slowness }: Story): Promise<{ state: FakeState; clock: VirtualTime }> {
  const clock = createVirtualTime(START);
  const random = makeRandom(seed);
  const state = createFakeState();
  const rethrow = watch(state, clock);
  const all = actors.map((actor) => {
    let onKilled = (): void => undefined;
    const killed = new Promise<void>((resolve) => (onKilled = resolve));
    const store = openFakeStore(state, {
      clock,
      delay: () => random() * slowness,
      fault: () => (random() >= losses ? undefined : random() < 0.5 ? "before" : "after"),
      ...(actor.lives !== undefined && { lives: actor.lives }),
      onKilled: () => onKilled(),
    });
    return Promise.race([act(actor, clock, store), killed]);
  });
  await clock.run(Promise.all(all));
  rethrow();
  return { state, clock };
}

describe("a store that many change at once", () => {
  it("serves whole generations after every change, whoever is killed or cut off", async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, async (story) => {
        const { state, clock } = await tell(story);
        // Whatever was left behind, one who publishes undisturbed is served.
        const store = openFakeStore(state, { clock });
        const last = indexes[story.seed % indexes.length] as LocalIndex;
        await clock.run(publishIndex(last, store, { clock }));
        expect(servedGenerations(state.objects)[0]).toBe(last.pointer.generation);
      }),
      { numRuns: runs(150) },
    );
  });

  it("keeps what is published again while a collector is about to remove it", async () => {
    const [first, second] = indexes as [LocalIndex, LocalIndex];
    const anySlowness = fc.constantFrom(500, 4_000, 25_000);
    await fc.assert(
      fc.asyncProperty(fc.nat(), anySlowness, anySlowness, fc.nat({ max: 30_000 }), async (seed, slow, other, wait) => {
        const clock = createVirtualTime(START);
        const random = makeRandom(seed);
        const state = createFakeState();
        const rethrow = watch(state, clock);
        const user = (slowness: number): ObjectStore =>
          openFakeStore(state, { clock, delay: () => random() * slowness });
        for (const index of [first, second, second]) {
          await clock.run(publishIndex(index, user(0), { keep: 0, clock }));
          await clock.run(clock.sleep(2 * STAYS_MS));
        }
        expect(servedGenerations(state.objects)).toEqual([second.pointer.generation]);
        const collecting = collectGarbage(user(slow), { clock }).catch((error: unknown) => {
          if (!(error instanceof Lost || error instanceof InputError)) throw error;
        });
        const publishing = clock.sleep(wait).then(() => publishIndex(first, user(other), { clock }));
        await clock.run(Promise.all([collecting, publishing]));
        rethrow();
        expect(servedGenerations(state.objects)[0]).toBe(first.pointer.generation);
      }),
      { numRuns: runs(150) },
    );
  });

  it("holds nothing that no generation needs, an hour after the last change", async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, fc.nat({ max: 2 }), async (story, keep) => {
        const { state, clock } = await tell(story);
        const store = openFakeStore(state, { clock });
        const last = indexes[0] as LocalIndex;
        await clock.run(clock.sleep(2 * STAYS_MS));
        await clock.run(publishIndex(last, store, { clock, keep }));
        await clock.run(clock.sleep(2 * STAYS_MS));
        await clock.run(publishIndex(last, store, { clock, keep }));
        await clock.run(collectGarbage(store, { clock }));
        const kept = servedGenerations(state.objects);
        expect(kept.length).toBeLessThanOrEqual(keep + 1);
        const needed = indexes
          .filter(({ pointer }) => kept.includes(pointer.generation))
          .flatMap(({ files }) => files.map(({ name }) => name));
        expect([...state.objects.keys()].sort()).toEqual([...new Set([POINTER_FILE, ...needed])].sort());
      }),
      { numRuns: runs(60) },
    );
  });
});
