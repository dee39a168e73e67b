import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalBytes } from "../../../src/core/bytes/encodings.ts";

/** Bytes that note which of them are looked at. */
function watched(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly seen: Set<number> } {
  const seen = new Set<number>();
  const proxy = new Proxy(bytes, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) seen.add(Number(name));
      const value: unknown = Reflect.get(target, name, target);
      return value;
    },
  });
  return { bytes: proxy, seen };
}

describe("equalBytes", () => {
  it("says whether bytes are the same", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (a, b) => {
        expect(equalBytes(a, a.slice())).toBe(true);
        expect(equalBytes(a, b)).toBe(a.length === b.length && a.every((byte, at) => byte === b[at]));
      }),
    );
  });

  it("looks at every byte wherever they differ", () => {
    for (let at = -1; at < 32; at++) {
      const mine = new Uint8Array(32).fill(7);
      if (at >= 0) mine[at] = 8;
      const { bytes, seen } = watched(new Uint8Array(32).fill(7));
      expect(equalBytes(mine, bytes)).toBe(at < 0);
      expect(seen.size).toBe(32);
    }
  });
});
