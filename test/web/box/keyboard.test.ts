import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCommandKey, moveChoice } from "../../../src/web/box/keyboard.ts";
import { runs } from "../../support/runs.ts";

type Key = Parameters<typeof isCommandKey>[0];

const press = (key: string, held: Partial<Key> = {}): Key => ({
  key,
  code: "",
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
});

describe("moveChoice", () => {
  it("goes round with arrows, and begins at the ends", () => {
    expect(moveChoice(press("ArrowDown"), -1, 3)).toBe(0);
    expect(moveChoice(press("ArrowDown"), 2, 3)).toBe(0);
    expect(moveChoice(press("ArrowUp"), -1, 3)).toBe(2);
    expect(moveChoice(press("ArrowUp"), 0, 3)).toBe(2);
    expect(moveChoice(press("ArrowUp"), 2, 3)).toBe(1);
  });

  it("moves by five with page keys, and stops at the ends", () => {
    expect(moveChoice(press("PageDown"), 1, 20)).toBe(6);
    expect(moveChoice(press("PageDown"), 18, 20)).toBe(19);
    expect(moveChoice(press("PageUp"), 7, 20)).toBe(2);
    expect(moveChoice(press("PageUp"), -1, 20)).toBe(0);
  });

  it("leaves keys alone that move in the text", () => {
    for (const key of ["Home", "End", "ArrowLeft", "ArrowRight", "a"])
      expect(moveChoice(press(key), 1, 3)).toBeUndefined();
    expect(moveChoice(press("ArrowDown", { shiftKey: true }), 1, 3)).toBeUndefined();
    expect(moveChoice(press("ArrowUp", { altKey: true }), 1, 3)).toBeUndefined();
  });

  it("never chooses a row that is not there", () => {
    const keys = fc.array(fc.constantFrom("ArrowDown", "ArrowUp", "PageDown", "PageUp"), { maxLength: 30 });
    fc.assert(
      fc.property(keys, fc.integer({ min: 0, max: 12 }), (pressed, count) => {
        let at = -1;
        for (const key of pressed) {
          const next = moveChoice(press(key), at, count);
          if (count === 0) expect(next).toBeUndefined();
          else {
            expect(next).toBeGreaterThanOrEqual(0);
            expect(next).toBeLessThan(count);
            at = next as number;
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("isCommandKey", () => {
  it("is ⌘K on Apple's machines and Ctrl K elsewhere, nothing else", () => {
    expect(isCommandKey(press("k", { metaKey: true }), true)).toBe(true);
    expect(isCommandKey(press("k", { ctrlKey: true }), true)).toBe(false);
    expect(isCommandKey(press("K", { ctrlKey: true }), false)).toBe(true);
    expect(isCommandKey(press("k", { metaKey: true }), false)).toBe(false);
    expect(isCommandKey(press("k", { ctrlKey: true, shiftKey: true }), false)).toBe(false);
    expect(isCommandKey(press("k", { ctrlKey: true, altKey: true }), false)).toBe(false);
    expect(isCommandKey(press("k"), false)).toBe(false);
  });

  it("goes by the place of the key where the keyboard has other letters", () => {
    expect(isCommandKey(press("л", { code: "KeyK", ctrlKey: true }), false)).toBe(true);
    // Dvorak has its K elsewhere, and a T where others have the K.
    expect(isCommandKey(press("t", { code: "KeyK", ctrlKey: true }), false)).toBe(false);
    expect(isCommandKey(press("k", { code: "KeyV", ctrlKey: true }), false)).toBe(true);
  });
});
