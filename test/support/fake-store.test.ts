import { describe, expect, it } from "vitest";
import { createFakeState, Lost, openFakeStore } from "./fake-store.ts";
import { createVirtualTime } from "./virtual-time.ts";

const ONE = Uint8Array.of(1);
const TWO = Uint8Array.of(2);

describe("the fake store", () => {
  it("writes a mutable object only over what its writer knew", async () => {
    const clock = createVirtualTime(0);
    const store = openFakeStore(createFakeState(), { clock });
    await clock.run(
      (async () => {
        expect(await store.get("a")).toBeUndefined();
        expect(await store.put("a", ONE, "", "something")).toBe(false);
        expect(await store.put("a", ONE, "", undefined)).toBe(true);
        expect(await store.put("a", TWO, "", undefined)).toBe(false);
        const held = await store.get("a");
        expect(held?.bytes).toEqual(ONE);
        expect(await store.put("a", TWO, "", held?.etag)).toBe(true);
        expect(await store.put("a", ONE, "", held?.etag)).toBe(false);
      })(),
    );
  });

  it("lists what was written, when, until it is removed", async () => {
    const clock = createVirtualTime(1000);
    const state = createFakeState();
    const changed: string[] = [];
    state.onChange = (name) => changed.push(name);
    const store = openFakeStore(state, { clock, delay: () => 5 });
    await clock.run(store.upload("a", ONE));
    expect(await clock.run(store.list())).toMatchObject([{ name: "a", bytes: 1, modifiedAt: 1005 }]);
    await clock.run(store.remove(["a", "b"], Number.POSITIVE_INFINITY));
    expect(await clock.run(store.list())).toEqual([]);
    expect(changed).toEqual(["a", "a", "b"]);
    expect(store.requests()).toBe(4);
  });

  it("loses a request before its effect, or after it", async () => {
    const clock = createVirtualTime(0);
    for (const [fate, size] of [
      ["before", 0],
      ["after", 1],
    ] as const) {
      const state = createFakeState();
      await expect(clock.run(openFakeStore(state, { clock, fault: () => fate }).upload("a", ONE))).rejects.toThrow(
        Lost,
      );
      expect(state.objects.size).toBe(size);
    }
  });

  it("gives no answer to who is killed, and lets nothing more of theirs happen", async () => {
    const clock = createVirtualTime(0);
    const state = createFakeState();
    let onKilled = (): void => undefined;
    const killed = new Promise<void>((resolve) => (onKilled = resolve));
    const store = openFakeStore(state, { clock, lives: 1, onKilled: () => onKilled() });
    const work = (async () => {
      for (const name of ["a", "b", "c"]) await store.upload(name, ONE);
    })();
    await clock.run(Promise.race([work, killed]));
    expect([...state.objects.keys()]).toEqual(["a", "b"]);
    await expect(clock.run(work)).rejects.toThrow("never comes");
  });

  it("removes nothing long after the deadline, and tells who is late that it may have", async () => {
    const clock = createVirtualTime(0);
    for (const [delay, left] of [
      [5_000, 0],
      [15_000, 0],
      [25_000, 1],
    ] as const) {
      const state = createFakeState();
      await clock.run(openFakeStore(state, { clock }).upload("a", ONE));
      const slow = openFakeStore(state, { clock, delay: () => delay });
      const removed = clock.run(slow.remove(["a"], clock.elapsed() + 10_000));
      if (delay < 10_000) await removed;
      else await expect(removed).rejects.toThrow(Lost);
      expect(state.objects.size).toBe(left);
    }
  });
});
