import { describe, expect, it } from "vitest";
import { type LocalIndex, type PublishSummary, publishIndex } from "../../../indexer/publish/publish.ts";
import { KEPT_GENERATIONS, STAYS_MS } from "../../../indexer/publish/published.ts";
import { FormatError, InputError } from "../../../src/core/errors.ts";
import { decodePointer, readReplacedAt } from "../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { servedGenerations } from "../../support/check-published.ts";
import { createFakeState, type FakeState, Lost, openFakeStore } from "../../support/fake-store.ts";
import { buildSmallIndex, ofCommit } from "../../support/small-indexes.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const indexes = await Promise.all(Array.from({ length: 8 }, (_, number) => buildSmallIndex(number)));
const [first, second, third] = indexes as [LocalIndex, LocalIndex, LocalIndex];

interface World {
  readonly state: FakeState;
  readonly clock: VirtualTime;
  readonly notices: readonly string[];
  readonly publish: (index: LocalIndex, options?: Parameters<typeof publishIndex>[2]) => Promise<PublishSummary>;
  readonly wait: (ms: number) => Promise<void>;
}

function makeWorld(): World {
  const state = createFakeState();
  const clock = createVirtualTime(START);
  const notices: string[] = [];
  return {
    state,
    clock,
    notices,
    publish: (index, options = {}) =>
      clock.run(
        publishIndex(index, openFakeStore(state, { clock }), {
          clock,
          onNotice: (text) => notices.push(text),
          ...options,
        }),
      ),
    wait: (ms) => clock.run(clock.sleep(ms)),
  };
}

const idOf = ({ pointer }: LocalIndex): string => pointer.generation;

describe("publishing", () => {
  it("uploads all to an empty store, and takes two requests where nothing changed", async () => {
    const { state, publish, wait } = makeWorld();
    const all = first.files.reduce((sum, { bytes }) => sum + bytes, 0);
    const done = await publish(first);
    const pointer = state.objects.get(POINTER_FILE)?.bytes.length ?? 0;
    expect(done).toMatchObject({ generation: idOf(first), replaced: "", switched: true, reusedFiles: 0, kept: [] });
    expect(done).toMatchObject({ uploadedFiles: first.files.length + 1, uploadedBytes: all + pointer });
    expect(servedGenerations(state.objects)).toEqual([idOf(first)]);
    for (const ms of [0, 5 * STAYS_MS]) {
      await wait(ms);
      const again = await publish(first);
      expect(again).toMatchObject({ switched: false, uploadedFiles: 0, uploadedBytes: 0, reusedBytes: all });
      expect(again.requests).toBe(2);
    }
  });

  it("leaves the pointer byte for byte as it was built, but for the generations before", async () => {
    const { state, publish } = makeWorld();
    await publish(first);
    const { previous: _, ...before } = decodePointer(state.objects.get(POINTER_FILE)?.bytes ?? new Uint8Array());
    const { previous, built: __, ...built } = first.pointer;
    expect(before).toEqual(built);
    expect(previous).toEqual([]);
  });

  it("keeps files that kept generations share with the new one, and uploads those that nobody needs any more", async () => {
    const { state, publish, notices, wait } = makeWorld();
    await publish(first);
    await wait(2 * STAYS_MS);
    // The log is the same in all of them.
    const changed = await publish(second);
    expect(changed).toMatchObject({ reusedFiles: 1, uploadedFiles: second.files.length });
    await wait(2 * STAYS_MS);
    expect(await publish(first)).toMatchObject({ uploadedFiles: 1, reusedFiles: first.files.length });
    expect(notices).toEqual([]);
    // Dropped from the list, so a collector may be at its files.
    await wait(2 * STAYS_MS);
    await publish(third, { keep: 0 });
    await wait(2 * STAYS_MS);
    await publish(third, { keep: 0 });
    expect(servedGenerations(state.objects)).toEqual([idOf(third)]);
    expect(await publish(first)).toMatchObject({ reusedFiles: 1 });
    expect(notices).toHaveLength(1);
  });

  it("keeps five generations, or as many as are wanted, and all of the last hour", async () => {
    const { state, publish, wait } = makeWorld();
    for (const index of indexes.slice(0, 4)) await publish(index, { keep: 0 });
    expect(servedGenerations(state.objects)).toEqual(indexes.slice(0, 4).map(idOf).reverse());
    const times = readReplacedAt(state.objects.get(POINTER_FILE)?.bytes ?? new Uint8Array());
    expect([...times.keys()]).toEqual(indexes.slice(0, 3).map(idOf).reverse());
    await wait(STAYS_MS - 1);
    expect((await publish(indexes[4] as LocalIndex, { keep: 0 })).kept).toHaveLength(4);
    await wait(1);
    expect((await publish(indexes[5] as LocalIndex, { keep: 0 })).kept).toEqual(
      [4, 3].map((at) => idOf(indexes[at] as LocalIndex)),
    );
    for (const index of indexes) {
      await wait(2 * STAYS_MS);
      await publish(index);
    }
    expect(servedGenerations(state.objects)).toHaveLength(KEPT_GENERATIONS + 1);
    await wait(2 * STAYS_MS);
    const last = indexes.at(-1) as LocalIndex;
    expect((await publish(last)).kept).toHaveLength(KEPT_GENERATIONS);
    expect((await publish(last, { keep: 2 })).kept).toHaveLength(2);
    expect(servedGenerations(state.objects)).toHaveLength(3);
  });

  it("mends what is missing, cut or another file in the store, also where it is current", async () => {
    const { state, publish, wait } = makeWorld();
    await publish(first);
    await wait(2 * STAYS_MS);
    const [a, b, c] = first.files.map(({ name }) => name) as [string, string, string];
    state.objects.delete(a);
    state.objects.set(b, { bytes: new Uint8Array(3), modifiedAt: 0 });
    state.objects.set(c, {
      bytes: (state.objects.get(c)?.bytes ?? new Uint8Array()).map((byte) => byte ^ 1),
      modifiedAt: 0,
    });
    expect(() => servedGenerations(state.objects)).toThrow();
    expect(await publish(first)).toMatchObject({ switched: false, uploadedFiles: 3 });
    expect(servedGenerations(state.objects)).toEqual([idOf(first)]);
  });

  it("needs none of the files that the store holds and keeps", async () => {
    const { state, publish, wait } = makeWorld();
    await publish(first);
    await wait(2 * STAYS_MS);
    const shared = new Set(first.files.map(({ name }) => name));
    const delta: LocalIndex = {
      ...second,
      read: (name) => (shared.has(name) ? Promise.reject(new InputError(`${name} is missing`)) : second.read(name)),
      md5: async (name) => (shared.has(name) ? undefined : second.md5(name)),
    };
    expect(await publish(delta)).toMatchObject({ switched: true, reusedFiles: 1 });
    expect(servedGenerations(state.objects)).toEqual([idOf(second), idOf(first)]);
    await expect(makeWorld().publish(delta)).rejects.toThrow("is missing");
  });

  it("goes on where a publish that was cut off ended", async () => {
    const { state, clock, publish } = makeWorld();
    let requests = 0;
    const cut = openFakeStore(state, { clock, fault: () => (requests++ < 4 ? undefined : "before") });
    await expect(clock.run(publishIndex(first, cut, { clock }))).rejects.toThrow(Lost);
    expect(servedGenerations(state.objects)).toEqual([]);
    const there = state.objects.size;
    expect(there).toBeGreaterThan(0);
    expect(await publish(first)).toMatchObject({ reusedFiles: there, uploadedFiles: first.files.length + 1 - there });
  });

  it("tells the slower of two publishers, and publishes its index on top of the other's", async () => {
    const { state, clock } = makeWorld();
    await clock.run(publishIndex(first, openFakeStore(state, { clock }), { clock }));
    const publishAt = async (index: LocalIndex, delay: number): Promise<readonly string[]> => {
      const notices: string[] = [];
      const store = openFakeStore(state, { clock, delay: () => delay });
      await publishIndex(index, store, { clock, onNotice: (text) => notices.push(text) });
      return notices;
    };
    const [fast, slow] = await clock.run(Promise.all([publishAt(second, 10), publishAt(third, 25)]));
    expect(fast).toEqual([]);
    expect(slow).toEqual([expect.stringContaining("Another publish finished first")]);
    expect(servedGenerations(state.objects)).toEqual([third, second, first].map(idOf));
  });

  it("says where what it replaces is of a newer commit", async () => {
    const { publish, notices } = makeWorld();
    await publish(await ofCommit(first, "aaa", "2026-01-02T00:00:00Z"));
    await publish(await ofCommit(second, "bbb", "2026-01-03T00:00:00+02:00"));
    expect(notices).toEqual([]);
    await publish(await ofCommit(third, "ccc", "2026-01-02T20:00:00Z"));
    expect(notices).toEqual([expect.stringContaining("is of a newer commit (bbb of ")]);
    // Nothing is known of a folder that is in no repository.
    await publish(first);
    expect(notices).toHaveLength(1);
  });

  it("writes nothing in a dry run, and says what it would", async () => {
    const { state, publish } = makeWorld();
    const planned = await publish(first, { dryRun: true });
    expect(state.objects.size).toBe(0);
    const { requests: _, ...done } = await publish(first);
    expect(planned).toMatchObject({ ...done, dryRun: true, seconds: expect.any(Number) });
  });

  it("tells how far it has come", async () => {
    const { publish } = makeWorld();
    const seen: string[] = [];
    await publish(first, { onProgress: ({ files, allFiles }) => seen.push(`${files}/${allFiles}`) });
    const count = first.files.length;
    expect(seen).toEqual(Array.from({ length: count }, (_, at) => `${at + 1}/${count}`));
  });

  it("changes nothing where the pointer is of a newer format, or cannot be read", async () => {
    const { state, publish } = makeWorld();
    await publish(first);
    const { bytes } = state.objects.get(POINTER_FILE) ?? { bytes: new Uint8Array() };
    const newer = bytes.map((byte, at) => (at === 4 ? byte + 1 : byte));
    const damaged = bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte));
    for (const [pointer, words] of [
      [newer, "update Treeline"],
      [damaged, "Remove that object"],
      [new Uint8Array(), "Remove that object"],
    ] as const) {
      state.objects.set(POINTER_FILE, { bytes: pointer, modifiedAt: 0 });
      const before = [...state.objects.keys()];
      await expect(publish(second)).rejects.toThrow(InputError);
      await expect(publish(second)).rejects.toThrow(words);
      await expect(publish(second)).rejects.not.toThrow(FormatError);
      expect([...state.objects.keys()]).toEqual(before);
      expect(state.objects.get(POINTER_FILE)?.bytes).toBe(pointer);
    }
  });
});
