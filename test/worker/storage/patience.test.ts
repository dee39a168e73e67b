import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FormatError, StaleGenerationError, StorageError } from "../../../src/core/errors.ts";
import { createPatience, isEndless } from "../../../src/surface/patience.ts";

const [TRIES, TRY_MS] = [3, 1200];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What came of a read, and after how many milliseconds. */
async function outcomeOf(reading: Promise<unknown>): Promise<{ readonly got: unknown; readonly ms: number }> {
  const begin = Date.now();
  const done = reading.then(
    (value) => ({ got: value, ms: Date.now() - begin }),
    (error: unknown) => ({ got: error, ms: Date.now() - begin }),
  );
  await vi.runAllTimersAsync();
  return done;
}

describe("patience", () => {
  it("gives what a read gives, and leaves no timer behind", async () => {
    expect(await createPatience()("x", async () => 1)).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("tries what fails, or is late, three times in all, with pauses of their own", async () => {
    let tried = 0;
    const patience = createPatience({ random: () => 0.5 });
    const failing = await outcomeOf(
      patience("the file", async () => {
        tried++;
        throw new Error("10001");
      }),
    );
    expect([tried, failing.ms]).toEqual([TRIES, 120]);
    expect(failing.got).toBeInstanceOf(StorageError);
    expect(String(failing.got)).toContain("the file");
    const late = await outcomeOf(patience("x", () => new Promise(() => undefined)));
    expect([late.ms, (late.got as Error).cause]).toEqual([
      3 * TRY_MS + 120,
      new Error(`no answer within ${TRY_MS} ms`),
    ]);
  });

  it("gives what the last try gives", async () => {
    let tried = 0;
    const read = async (): Promise<number> => {
      if (++tried < TRIES) throw new Error("down");
      return tried;
    };
    expect((await outcomeOf(createPatience()("x", read))).got).toBe(TRIES);
  });

  it("takes for an answer what storage says of its bytes", async () => {
    for (const error of [
      new StaleGenerationError("f"),
      new FormatError("f", { code: "truncated", need: 2, have: 1 }),
    ]) {
      const read = vi.fn(async () => {
        throw error;
      });
      expect((await outcomeOf(createPatience()("x", read))).got).toBe(error);
      expect(read).toHaveBeenCalledOnce();
    }
  });

  it("has no end where the setting says so", async () => {
    expect([isEndless(" OFF "), isEndless("on"), isEndless(undefined)]).toEqual([true, false, false]);
    const slow = new Promise((resolve) => setTimeout(resolve, 100 * TRY_MS, "late"));
    expect((await outcomeOf(createPatience({ isUnbounded: () => true })("x", () => slow))).got).toBe("late");
  });
});
