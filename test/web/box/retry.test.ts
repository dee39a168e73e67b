import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRetry } from "../../../src/web/box/panel.ts";

describe("createRetry", () => {
  const listeners = new Set<() => void>();

  beforeEach(() => {
    vi.useFakeTimers();
    listeners.clear();
    vi.stubGlobal("addEventListener", (_name: string, listener: () => void) => listeners.add(listener));
    vi.stubGlobal("removeEventListener", (_name: string, listener: () => void) => listeners.delete(listener));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("counts down, and tries once", () => {
    const said: (number | string)[] = [];
    createRetry().after(
      3,
      (left) => said.push(left),
      () => said.push("now"),
    );
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([2, 1, "now"]);
  });

  it("tries nothing any more when it is told so", () => {
    const said: string[] = [];
    const retry = createRetry();
    retry.after(
      2,
      () => said.push("tick"),
      () => said.push("now"),
    );
    vi.advanceTimersByTime(1_000);
    retry.stop();
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual(["tick"]);
  });

  it("leaves no listener behind, and one at most", () => {
    const retry = createRetry();
    retry.whenOnline(() => undefined);
    retry.whenOnline(() => undefined);
    expect(listeners.size).toBe(1);
    retry.stop();
    expect(listeners.size).toBe(0);
  });
});
