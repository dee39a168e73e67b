import { describe, expect, it } from "vitest";
import {
  encodePointer,
  type PreviousGeneration,
  parsePointer,
  readReplacedAt,
} from "../../../src/core/format/generation.ts";

function previous(generation: string, replacedAt?: string): PreviousGeneration {
  const one = { generation, root: "r", manifest: "m", commit: "c", builtAt: "b" };
  return { ...one, ...(replacedAt !== undefined && { replacedAt }) };
}

function pointerWith(...list: readonly PreviousGeneration[]): Uint8Array {
  return encodePointer({
    generation: "g",
    root: "",
    manifest: "",
    log: "",
    previous: list,
    rootBytes: new Uint8Array(4),
  });
}

describe("when generations were replaced", () => {
  it("comes back by generation, where it was written", () => {
    const bytes = pointerWith(previous("a", "2026-01-01T00:00:00.000Z"), previous("b"), previous("c", "yesterday"));
    expect([...readReplacedAt(bytes)]).toEqual([["a", Date.parse("2026-01-01T00:00:00Z")]]);
    expect(readReplacedAt(pointerWith()).size).toBe(0);
  });

  it("is nothing that readers of a pointer meet", () => {
    const bytes = pointerWith(previous("a", "2026-01-01T00:00:00.000Z"));
    expect(parsePointer(bytes).previous).toEqual([previous("a")]);
  });
});
