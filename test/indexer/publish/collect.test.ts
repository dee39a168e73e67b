import { describe, expect, it } from "vitest";
import { nameFile } from "../../../indexer/index/write-table.ts";
import { type CollectSummary, collectGarbage } from "../../../indexer/publish/collect.ts";
import { type LocalIndex, publishIndex } from "../../../indexer/publish/publish.ts";
import { STAYS_MS } from "../../../indexer/publish/published.ts";
import { InputError } from "../../../src/core/errors.ts";
import { decodePointer, encodePointer } from "../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { servedGenerations } from "../../support/check-published.ts";
import { createFakeState, type FakeState, openFakeStore } from "../../support/fake-store.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";

const indexes = await Promise.all([0, 1, 2].map(buildSmallIndex));
const NOBODYS = "00000000000000000000000000000000.pack";
const PARTIAL = `.${NOBODYS}.0a1b2c3d.partial`;
const FOREIGN = ["index.html", "0000.pack", `${NOBODYS}.bak`, ".x.partial"];

interface World {
  readonly state: FakeState;
  readonly clock: VirtualTime;
  readonly put: (name: string) => void;
  readonly collect: (options?: Parameters<typeof collectGarbage>[1]) => Promise<CollectSummary>;
}

/** A store where all indexes were published, hours apart, and one is kept beside the last. */
async function makeWorld(): Promise<World> {
  const state = createFakeState();
  const clock = createVirtualTime(Date.parse("2026-01-01T00:00:00Z"));
  const store = openFakeStore(state, { clock });
  for (const index of indexes) {
    await clock.run(clock.sleep(2 * STAYS_MS));
    await clock.run(publishIndex(index, store, { clock, keep: 1 }));
  }
  return {
    state,
    clock,
    put: (name) => state.objects.set(name, { bytes: new Uint8Array(1), modifiedAt: clock.now() }),
    collect: (options = {}) => clock.run(collectGarbage(store, { clock, ...options })),
  };
}

const namesOf = (index: LocalIndex | undefined): readonly string[] => index?.files.map(({ name }) => name) ?? [];

describe("collecting", () => {
  it("removes what only dropped generations named, and nothing that is needed", async () => {
    const { state, collect } = await makeWorld();
    const kept = new Set([...namesOf(indexes[1]), ...namesOf(indexes[2])]);
    const dropped = namesOf(indexes[0]).filter((name) => !kept.has(name));
    const before = [...state.objects.keys()];
    const planned = await collect({ dryRun: true });
    expect([...state.objects.keys()]).toEqual(before);
    const done = await collect();
    expect(done).toMatchObject({ removed: dropped.length, needed: kept.size, young: 0, foreign: [] });
    expect(planned).toEqual({ ...done, dryRun: true });
    expect([...state.objects.keys()].sort()).toEqual(before.filter((name) => !dropped.includes(name)).sort());
    expect(servedGenerations(state.objects)).toHaveLength(2);
    expect(await collect()).toMatchObject({ removed: 0 });
  });

  it("removes nothing where a manifest of a kept generation cannot be read, though it holds its name", async () => {
    const { state, collect, clock } = await makeWorld();
    const bytes = new TextEncoder().encode("no JSON");
    const manifest = nameFile(bytes, "manifest");
    const { bytes: pointer = new Uint8Array() } = state.objects.get(POINTER_FILE) ?? {};
    state.objects.set(manifest, { bytes, modifiedAt: 0 });
    state.objects.set(POINTER_FILE, { bytes: encodePointer({ ...decodePointer(pointer), manifest }), modifiedAt: 0 });
    const before = [...state.objects.keys()];
    const refused = collect().catch((error: unknown) => error);
    await clock.run(refused);
    expect(await refused).toBeInstanceOf(InputError);
    expect([...state.objects.keys()]).toEqual(before);
  });

  it("leaves keys, what is no index file, which it names, and all in folders, however old", async () => {
    const { state, put, clock, collect } = await makeWorld();
    const inFolders = [`v2/${NOBODYS}`, "v2/treeline.pointer", `notes/deep/${NOBODYS}`];
    for (const name of ["access.json", ...FOREIGN, ...inFolders, NOBODYS, PARTIAL]) put(name);
    await clock.run(clock.sleep(1000 * STAYS_MS));
    const { foreign } = await collect();
    expect([...foreign].sort()).toEqual([...FOREIGN].sort());
    for (const name of ["access.json", ...FOREIGN, ...inFolders]) expect(state.objects.has(name)).toBe(true);
    for (const name of [NOBODYS, PARTIAL]) expect(state.objects.has(name)).toBe(false);
  });

  it("waits for the grace period, an hour at least", async () => {
    const { state, put, clock, collect } = await makeWorld();
    put(NOBODYS);
    await clock.run(clock.sleep(STAYS_MS - 1));
    expect(await collect()).toMatchObject({ young: 1 });
    await clock.run(clock.sleep(1));
    expect(await collect({ graceMs: 24 * STAYS_MS })).toMatchObject({ young: 1, removed: 0 });
    expect(state.objects.has(NOBODYS)).toBe(true);
    expect(await collect()).toMatchObject({ removed: 1 });
    await expect(collect({ graceMs: STAYS_MS - 1 })).rejects.toThrow(InputError);
  });

  it("removes nothing where it cannot tell what is needed", async () => {
    for (const index of indexes.slice(1)) {
      const { state, collect } = await makeWorld();
      const { manifest } = index.pointer;
      const { bytes } = state.objects.get(manifest) ?? { bytes: new Uint8Array() };
      const before = [...state.objects.keys()];
      state.objects.set(manifest, { bytes: bytes.subarray(1), modifiedAt: 0 });
      await expect(collect()).rejects.toThrow(`generation ${index.pointer.generation}`);
      expect([...state.objects.keys()]).toEqual(before);
      state.objects.delete(manifest);
      await expect(collect()).rejects.toThrow("nothing was removed");
      expect(state.objects.size).toBe(before.length - 1);
    }
    const clock = createVirtualTime(0);
    const nothing = collectGarbage(openFakeStore(createFakeState(), { clock }), { clock });
    await expect(clock.run(nothing)).rejects.toThrow("nothing is published");
  });

  it("lists anew when a removal takes long, and gives up on a store that is too slow", async () => {
    const { state, put, clock } = await makeWorld();
    for (let n = 0; n < 2500; n++) put(`${n.toString(16).padStart(32, "0")}.pack`);
    await clock.run(clock.sleep(2 * STAYS_MS));
    const slow = openFakeStore(state, { clock, delay: () => 2_600 });
    await clock.run(collectGarbage(slow, { clock }));
    expect([...state.objects.keys()].filter((name) => name.startsWith("0000"))).toEqual([]);
    put(NOBODYS);
    await clock.run(clock.sleep(2 * STAYS_MS));
    const slower = openFakeStore(state, { clock, delay: () => 12_000 });
    await expect(clock.run(collectGarbage(slower, { clock }))).rejects.toThrow("too slow");
  });
});
