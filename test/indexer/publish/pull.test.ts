import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRandom } from "../../../bench/random.ts";
import { collectGarbage, removeCorpus } from "../../../indexer/publish/collect.ts";
import type { ObjectStore } from "../../../indexer/publish/object-store.ts";
import { type LocalIndex, publishIndex } from "../../../indexer/publish/publish.ts";
import { STAYS_MS } from "../../../indexer/publish/published.ts";
import { type PullSummary, pullIndex } from "../../../indexer/publish/pull.ts";
import { InputError } from "../../../src/core/errors.ts";
import { encodePointer } from "../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { servedGenerations } from "../../support/check-published.ts";
import { createFakeState, type FakeState, Lost, openFakeStore } from "../../support/fake-store.ts";
import { Killed } from "../../support/faulty-disk.ts";
import { createMemoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { runs } from "../../support/runs.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const FOLDER = "/index";
/** A number that no process has. */
const OWNER = { host: "here", pid: 2 ** 30, started: 1 };

const indexes = await Promise.all([0, 1, 2].map(buildSmallIndex));
const [first, second] = indexes as [LocalIndex, LocalIndex];

interface World {
  readonly state: FakeState;
  readonly clock: VirtualTime;
  readonly disk: MemoryDisk;
  readonly publish: (index: LocalIndex) => Promise<void>;
  readonly pull: () => Promise<PullSummary | undefined>;
}

function makeWorld(): World {
  const [state, clock, disk] = [createFakeState(), createVirtualTime(START), createMemoryDisk()];
  const store = openFakeStore(state, { clock });
  return {
    state,
    clock,
    disk,
    publish: async (index) => {
      await clock.run(publishIndex(index, store, { clock, keep: 0 }));
      await clock.run(clock.sleep(2 * STAYS_MS));
    },
    pull: () => clock.run(pullIndex(store, FOLDER, { clock, disk, owner: OWNER })),
  };
}

/** What a build writes: all files of an index, and a pointer that knows no generation but its own. */
async function builtFiles(index: LocalIndex): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>([[POINTER_FILE, encodePointer({ ...index.pointer, previous: [] })]]);
  for (const { name } of index.files) files.set(name, await index.read(name));
  return files;
}

function sorted(files: ReadonlyMap<string, Uint8Array>): [string, Uint8Array][] {
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, bytes]) => [name, Uint8Array.from(bytes)]);
}

function heldBytes({ files }: MemoryDisk): Map<string, Uint8Array> {
  return new Map([...files].map(([name, { bytes }]) => [name, bytes]));
}

describe("pulling", () => {
  it("gives the folder that was built, without what the generation before alone needed", async () => {
    const { disk, publish, pull } = makeWorld();
    for (const [at, index] of indexes.entries()) {
      await publish(index);
      const replaced = indexes[at - 1]?.pointer.generation ?? "";
      expect(await pull()).toMatchObject({ generation: index.pointer.generation, replaced, switched: true });
      expect(sorted(heldBytes(disk))).toEqual(sorted(await builtFiles(index)));
    }
  });

  it("brings what is missing or damaged, and nothing else", async () => {
    const { disk, publish, pull } = makeWorld();
    await publish(first);
    const all = first.files.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(await pull()).toMatchObject({ downloadedFiles: first.files.length + 1, reusedFiles: 0 });
    expect(await pull()).toMatchObject({ switched: false, downloadedFiles: 0, reusedBytes: all, requests: 2 });
    const [gone, cut, other] = first.files.filter(({ bytes }) => bytes > 1).map(({ name }) => name);
    disk.files.delete(gone ?? "");
    for (const [name = "", from] of [
      [cut, 1],
      [other, 0],
    ] as const) {
      const bytes = disk.files.get(name)?.bytes.slice(from) ?? new Uint8Array();
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      disk.files.set(name, { bytes, modifiedAt: 0 });
    }
    expect(await pull()).toMatchObject({ switched: false, downloadedFiles: 3, reusedFiles: first.files.length - 3 });
    disk.files.set(POINTER_FILE, { bytes: Uint8Array.of(1), modifiedAt: 0 });
    expect(await pull()).toMatchObject({ switched: true, replaced: "", downloadedFiles: 1 });
    expect(sorted(heldBytes(disk))).toEqual(sorted(await builtFiles(first)));
  });

  it("makes no folder where nothing is published, and tells so", async () => {
    const { disk, pull } = makeWorld();
    disk.lives = 0;
    expect(await pull()).toBeUndefined();
  });

  it("leaves the folder as it was where the store lacks a file, or holds it damaged", async () => {
    for (const damage of [undefined, Uint8Array.of(7)]) {
      for (const { name } of second.files.filter((file) => !first.files.some((one) => one.name === file.name))) {
        const { state, disk, publish, pull } = makeWorld();
        await publish(first);
        await pull();
        await publish(second);
        const before = sorted(heldBytes(disk));
        if (damage === undefined) state.objects.delete(name);
        else state.objects.set(name, { bytes: damage, modifiedAt: 0 });
        await expect(pull()).rejects.toThrow(InputError);
        await expect(pull()).rejects.toThrow(`${second.pointer.generation} in the fake store is incomplete (${name}`);
        expect(sorted(heldBytes(disk))).toEqual(before);
      }
    }
  });

  it("begins again with what is current where its generation was replaced and collected meanwhile", async () => {
    const { state, clock, disk, publish, pull } = makeWorld();
    await publish(first);
    const store = openFakeStore(state, { clock });
    let isReplaced = false;
    const overtaken: ObjectStore = {
      ...store,
      async get(name) {
        if (name.endsWith(".pack") && !isReplaced) {
          isReplaced = true;
          for (let time = 0; time < 2; time++) {
            await publishIndex(second, store, { clock, keep: 0 });
            await clock.sleep(2 * STAYS_MS);
          }
          await collectGarbage(store, { clock });
        }
        return store.get(name);
      },
    };
    const summary = await clock.run(pullIndex(overtaken, FOLDER, { clock, disk, owner: OWNER }));
    expect(summary).toMatchObject({ generation: second.pointer.generation, replaced: "", switched: true });
    expect(sorted(heldBytes(disk))).toEqual(sorted(await builtFiles(second)));
    expect(await pull()).toMatchObject({ switched: false });
  });

  it("leaves one generation whole wherever it is killed, and the next pull ends what it began", async () => {
    for (let lives = 0, isOver = false; !isOver; lives++) {
      const { disk, publish, pull } = makeWorld();
      await publish(first);
      await pull();
      await publish(second);
      disk.lives = lives;
      isOver = await pull().then(
        () => disk.lives > 0,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Killed);
          return false;
        },
      );
      disk.lives = Number.POSITIVE_INFINITY;
      expect([first, second].map(({ pointer }) => pointer.generation)).toContain(servedGenerations(disk.files)[0]);
      await pull();
      expect(sorted(heldBytes(disk))).toEqual(sorted(await builtFiles(second)));
    }
  });
});

const anyStory = fc.record({
  changes: fc.array(
    fc.record({
      what: fc.constantFrom("publish", "publish", "collect", "remove"),
      minutes: fc.nat({ max: 600 }),
      index: fc.nat({ max: indexes.length - 1 }),
    }),
    { minLength: 3, maxLength: 20 },
  ),
  pulls: fc.array(
    fc.record({
      minutes: fc.nat({ max: 400 }),
      /** Longest a request takes to its effect, and from there to its answer, in minutes. */
      slowness: fc.constantFrom(0, 1, 30),
      losses: fc.constantFrom(0, 0, 0.1),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  seed: fc.nat(),
});

describe("pulling while others publish, collect and remove", () => {
  it("gives one generation whole, or leaves what was there", async () => {
    let pulled = 0;
    await fc.assert(
      fc.asyncProperty(anyStory, async ({ changes, pulls, seed }) => {
        const [state, clock, random] = [createFakeState(), createVirtualTime(START), makeRandom(seed)];
        const store = openFakeStore(state, { clock }).within("v2");
        await clock.run(publishIndex(first, store, { clock }));
        const changing = changes.map(async ({ what, minutes, index }) => {
          await clock.sleep(minutes * 60_000);
          const work = {
            publish: () => publishIndex(indexes[index] as LocalIndex, store, { clock, keep: 0 }),
            collect: () => collectGarbage(store, { clock, isNamed: true }),
            remove: () => removeCorpus(store, "v2", { clock }),
          };
          await work[what]().catch(expectHarmless);
        });
        const pulling = pulls.map(async ({ minutes, slowness, losses }) => {
          const disk = createMemoryDisk();
          let wrong: unknown;
          let served = "";
          disk.onChange = () => {
            try {
              served = servedGenerations(disk.files)[0] ?? "";
            } catch (error) {
              wrong ??= error;
            }
          };
          const slow = openFakeStore(state, {
            clock,
            delay: () => random() * slowness * 60_000,
            fault: () => (random() < losses ? "before" : undefined),
          }).within("v2");
          await clock.sleep(minutes * 60_000);
          for (let time = 0; time < 2; time++) {
            const before = served;
            const summary = await pullIndex(slow, FOLDER, { clock, disk, owner: OWNER }).catch(expectHarmless);
            expect(served).toBe(summary?.generation ?? before);
            if (summary !== undefined) pulled++;
            expect([...disk.files.keys()].filter((name) => name.startsWith("."))).toEqual([]);
          }
          if (wrong !== undefined) throw wrong;
        });
        await clock.run(Promise.all([...changing, ...pulling]));
      }),
      { numRuns: runs(200) },
    );
    expect(pulled).toBeGreaterThan(0);
  });
});

function expectHarmless(error: unknown): undefined {
  // Requests are lost, and some things cannot be when they are asked for: the state alone counts here.
  if (!(error instanceof Lost || error instanceof InputError)) throw error;
}
