import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BusyError } from "../../src/core/errors.ts";
import { Load } from "../../src/http/guard.ts";

const MAX_UNDERWAY = 256;
const MAX_WAITING = 128;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("an isolate begins so many requests and no more, until one ends", () => {
  const load = new Load();
  for (let request = 0; request < MAX_UNDERWAY; request++) expect(load.enter()).toBe(true);
  expect(load.enter()).toBe(false);
  load.leave();
  expect([load.enter(), load.enter()]).toEqual([true, false]);
});

it("dear calls run one after the other, behind all others", async () => {
  const load = new Load();
  const order: string[] = [];
  const dear = (name: string) => {
    load.enter();
    return load
      .runDear(async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push(`${name} ends`);
      })
      .finally(() => load.leave());
  };
  load.enter();
  const running = [dear("a"), dear("b")];
  await vi.advanceTimersByTimeAsync(100);
  order.push("cheap ends");
  load.leave();
  await vi.runAllTimersAsync();
  await Promise.all(running);
  expect(order).toEqual(["cheap ends", "a begins", "a ends", "b begins", "b ends"]);
});

it("a dear call waits a second at most", async () => {
  const load = new Load();
  load.enter();
  load.enter();
  const done = load.runDear(async () => Date.now());
  const begin = Date.now();
  await vi.runAllTimersAsync();
  expect((await done) - begin).toBe(1000);
});

it("of many dear calls those are turned away that would wait behind too many", async () => {
  const load = new Load();
  const calls = Array.from({ length: MAX_WAITING + 3 }, () => load.runDear(async () => "done").catch((error) => error));
  await vi.runAllTimersAsync();
  const outcomes = await Promise.all(calls);
  expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(MAX_WAITING);
  expect(outcomes.filter((outcome) => outcome instanceof BusyError)).toHaveLength(3);
});
