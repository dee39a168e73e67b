import { describe, expect, it } from "vitest";
import { type LocalIndex, publishIndex } from "../../../indexer/publish/publish.ts";
import { rollBack, STAYS_MS } from "../../../indexer/publish/published.ts";
import { InputError } from "../../../src/core/errors.ts";
import { decodePointer } from "../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { servedGenerations } from "../../support/check-published.ts";
import { createFakeState, type FakeState, openFakeStore } from "../../support/fake-store.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";

const indexes = await Promise.all([0, 1, 2].map(buildSmallIndex));
const [first, second, third] = indexes.map(({ pointer }) => pointer.generation) as [string, string, string];

interface World {
  readonly state: FakeState;
  readonly clock: VirtualTime;
  readonly back: (options?: Parameters<typeof rollBack>[1]) => ReturnType<typeof rollBack>;
}

/** A store where some indexes were published one after another, hours apart. */
async function makeWorld(published: readonly LocalIndex[] = indexes): Promise<World> {
  const state = createFakeState();
  const clock = createVirtualTime(Date.parse("2026-01-01T00:00:00Z"));
  for (const index of published) {
    await clock.run(publishIndex(index, openFakeStore(state, { clock }), { clock }));
    await clock.run(clock.sleep(2 * STAYS_MS));
  }
  const back = (options: Parameters<typeof rollBack>[1] = {}): ReturnType<typeof rollBack> =>
    clock.run(rollBack(openFakeStore(state, { clock }), { clock, ...options }));
  return { state, clock, back };
}

describe("going back", () => {
  it("makes the generation before current, with its root, and keeps the one that was", async () => {
    const { state, back } = await makeWorld();
    expect(await back()).toMatchObject({ generation: second, replaced: third, kept: [third, first] });
    expect(servedGenerations(state.objects)).toEqual([second, third, first]);
    const { rootBytes, log, root } = decodePointer(state.objects.get(POINTER_FILE)?.bytes ?? new Uint8Array());
    const { pointer } = indexes[1] as LocalIndex;
    expect({ rootBytes, log, root }).toEqual({ rootBytes: pointer.rootBytes, log: pointer.log, root: pointer.root });
  });

  it("leads back when it is done twice", async () => {
    const { state, back } = await makeWorld();
    await back();
    expect(await back()).toMatchObject({ generation: third, replaced: second });
    expect(servedGenerations(state.objects)).toEqual([third, second, first]);
  });

  it("goes to a generation by its id, or by how that begins", async () => {
    const { back } = await makeWorld();
    expect(await back({ to: first })).toMatchObject({ generation: first, kept: [third, second] });
    expect(await back({ to: second.slice(0, 6) })).toMatchObject({ generation: second, kept: [first, third] });
  });

  it("writes nothing in a dry run", async () => {
    const { state, back } = await makeWorld();
    expect(await back({ dryRun: true })).toMatchObject({ generation: second, dryRun: true });
    expect(servedGenerations(state.objects)[0]).toBe(third);
  });

  it("says what there is where the name is of none, and that nothing is kept or published", async () => {
    const { back } = await makeWorld();
    await expect(back({ to: "zzz" })).rejects.toThrow(`there are ${second}, ${first}`);
    await expect(back({ to: "" })).rejects.toThrow(InputError);
    await expect(back({ to: third })).rejects.toThrow("current generation already");
    await expect((await makeWorld(indexes.slice(0, 1))).back()).rejects.toThrow("no way back");
    await expect((await makeWorld([])).back()).rejects.toThrow("nothing is published");
  });

  it("does not go to a generation that is not whole", async () => {
    for (const { name } of (indexes[1] as LocalIndex).files) {
      for (const bytes of [undefined, new Uint8Array(2)]) {
        const { state, back } = await makeWorld();
        if (bytes === undefined) state.objects.delete(name);
        else state.objects.set(name, { bytes, modifiedAt: 0 });
        const pointer = state.objects.get(POINTER_FILE);
        await expect(back()).rejects.toThrow("is no longer complete");
        expect(state.objects.get(POINTER_FILE)).toBe(pointer);
      }
    }
  });

  it("changes nothing where somebody published meanwhile", async () => {
    const { state, clock } = await makeWorld(indexes.slice(0, 2));
    const slow = rollBack(openFakeStore(state, { clock, delay: () => 50 }), { clock });
    const store = openFakeStore(state, { clock });
    const fast = clock.sleep(75).then(() => publishIndex(indexes[2] as LocalIndex, store, { clock }));
    const [gone] = await clock.run(Promise.allSettled([slow, fast]));
    expect(gone).toMatchObject({ status: "rejected", reason: expect.any(InputError) });
    expect(servedGenerations(state.objects)).toEqual([third, second, first]);
  });
});
