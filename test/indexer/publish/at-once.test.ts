/**
 * What readers find while publishers, collectors and people who go back or remove corpora are at work in one store, all at once,
 * killed and cut off at any moment: after each single change, all generations of each pointer whole.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRandom } from "../../../bench/random.ts";
import { collectGarbage, removeCorpus } from "../../../indexer/publish/collect.ts";
import type { ObjectStore } from "../../../indexer/publish/object-store.ts";
import { type LocalIndex, publishIndex } from "../../../indexer/publish/publish.ts";
import { NothingPublished, rollBack, STAYS_MS } from "../../../indexer/publish/published.ts";
import { InputError } from "../../../src/core/errors.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { servedGenerations } from "../../support/check-published.ts";
import { createFakeState, type FakeState, Lost, openFakeStore, viewOf } from "../../support/fake-store.ts";
import { runs } from "../../support/runs.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";
import { watchStore } from "../../support/watch-store.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const MINUTE_MS = 60_000;
const CORPORA = ["", "v2"] as const;

/** One who does something to the store. */
interface Actor {
  readonly what: "publish" | "rollback" | "collect" | "remove";
  /** `""` for that of the root, which cannot be removed. */
  readonly corpus: (typeof CORPORA)[number];
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
  what: fc.constantFrom("publish", "publish", "publish", "collect", "collect", "rollback", "remove"),
  corpus: fc.constantFrom(...CORPORA),
  // Few moments, so that many meet at one.
  minutes: fc.constantFrom(0, 1, 58, 59, 60, 61, 75, 119, 122, 180, 240, 241, 301),
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

/** Of one corpus, which is removed all the time: by people who are killed half way, too, and hours before it comes back. */
const anyRemovals = fc.record({
  actors: fc.array(
    fc.record({
      what: fc.constantFrom("publish", "collect", "collect", "remove", "remove"),
      corpus: fc.constant("v2" as const),
      minutes: fc.constantFrom(0, 1, 30, 61, 62, 121, 125, 180, 185, 241, 301, 302, 361),
      seconds: fc.nat({ max: 59 }),
      index: fc.nat({ max: 1 }),
      keep: fc.constant(0),
      lives: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
    }),
    { minLength: 6, maxLength: 20 },
  ),
  seed: fc.nat(),
  losses: fc.constant(0),
  slowness: fc.constantFrom(10, 1_000),
});

type Story = typeof anyStory extends fc.Arbitrary<infer T> ? T : never;

async function act(actor: Actor, clock: VirtualTime, root: ObjectStore): Promise<void> {
  await clock.sleep(actor.minutes * MINUTE_MS + actor.seconds * 1000);
  const { what, corpus } = actor;
  const isNamed = corpus !== "";
  const store = storeOf(root, corpus);
  try {
    if (what === "collect") await collectGarbage(store, { clock, isNamed });
    else if (what === "rollback") await rollBack(store, { clock });
    else if (what === "remove" && isNamed) await removeCorpus(store, corpus, { clock });
    else await publishIndex(indexes[actor.index] as LocalIndex, store, { keep: actor.keep, clock });
  } catch (error) {
    // A request was lost, or there was nothing to go back to: the state alone counts here.
    if (!(error instanceof Lost || error instanceof InputError)) throw error;
  }
}

function isDirectlyIn(prefix: string, name: string): boolean {
  return name.startsWith(prefix) && !name.slice(prefix.length).includes("/");
}

function storeOf(root: ObjectStore, corpus: string): ObjectStore {
  return corpus === "" ? root : root.within(corpus);
}

async function tell({ actors, seed, losses, slowness }: Story): Promise<{ state: FakeState; clock: VirtualTime }> {
  const clock = createVirtualTime(START);
  const random = makeRandom(seed);
  const state = createFakeState();
  const rethrow = watchStore(state, indexes, CORPORA, clock);
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
        for (const corpus of CORPORA) {
          await clock.run(publishIndex(last, storeOf(store, corpus), { clock }));
          const held = viewOf(state.objects, corpus === "" ? "" : `${corpus}/`);
          expect(servedGenerations(held)[0]).toBe(last.pointer.generation);
        }
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
        const rethrow = watchStore(state, indexes, CORPORA, clock);
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
        for (const corpus of CORPORA) {
          const [prefix, place] = [corpus === "" ? "" : `${corpus}/`, storeOf(store, corpus)];
          const outside = (): string[] =>
            [...state.objects.keys()].filter((name) => !isDirectlyIn(prefix, name)).sort();
          for (let time = 0; time < 2; time++) {
            await clock.run(clock.sleep(2 * STAYS_MS));
            await clock.run(publishIndex(last, place, { clock, keep }));
          }
          const others = outside();
          await clock.run(collectGarbage(place, { clock, isNamed: corpus !== "" }));
          expect(outside()).toEqual(others);
          const held = viewOf(state.objects, prefix);
          const kept = servedGenerations(held);
          expect(kept.length).toBeLessThanOrEqual(keep + 1);
          const needed = indexes
            .filter(({ pointer }) => kept.includes(pointer.generation))
            .flatMap(({ files }) => files.map(({ name }) => name));
          const expected = new Set([POINTER_FILE, ...needed]);
          expect([...held.keys()].sort()).toEqual([...expected].sort());
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("keeps for an hour what readers of a removed corpus are at, however it was removed", async () => {
    await fc.assert(
      fc.asyncProperty(anyRemovals, async (story) => void (await tell(story))),
      { numRuns: runs(1000) },
    );
  });

  it("holds nothing of a corpus that was removed, two collections and two hours later", async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, async (story) => {
        const { state, clock } = await tell(story);
        const root = openFakeStore(state, { clock });
        const store = root.within("v2");
        await clock.run(clock.sleep(STAYS_MS));
        await clock.run(publishIndex(indexes[0] as LocalIndex, store, { clock }));
        const others = [...state.objects.keys()].filter((name) => !name.startsWith("v2/"));
        await clock.run(removeCorpus(store, "v2", { clock }));
        for (let hour = 0; hour < 3; hour++) {
          await clock.run(clock.sleep(STAYS_MS));
          await clock
            .run(collectGarbage(store, { clock, isNamed: true }))
            .catch((error: unknown) => expect(error).toBeInstanceOf(NothingPublished));
        }
        expect([...state.objects.keys()]).toEqual(others);
      }),
      { numRuns: runs(60) },
    );
  });
});
