import { describe, expect, it } from "vitest";
import { addKey, makeKey, readExpiry, revokeKeys, stateOf } from "../../../../indexer/cli/commands/keys.ts";
import { formatHex } from "../../../../src/core/bytes/encodings.ts";
import {
  formatAccessFile,
  hashKey,
  KEY_TEXT,
  NO_KEYS,
  parseAccessFile,
} from "../../../../src/surface/access/access-file.ts";

const NOW = Date.parse("2026-06-01T12:00:00Z");
const HASH = "ab".repeat(32);
const one = addKey(NO_KEYS, { consumer: "ci", admin: true }, "00000001", HASH, NOW);
const two = addKey(one, { consumer: "ci", admin: false, collections: ["docs"] }, "00000002", "cd".repeat(32), NOW);

describe("a new key", () => {
  it("has the form of keys, its hash, and never the same text twice", async () => {
    const made = Array.from({ length: 50 }, makeKey);
    for (const { id, text, hash } of made) {
      expect(text).toMatch(KEY_TEXT);
      expect(text).toContain(`tl_${id}_`);
      expect(formatHex(await hashKey(text))).toBe(hash);
    }
    expect(new Set(made.map(({ text }) => text)).size).toBe(50);
  });

  it("stands in the file with what it opens, so that the Worker can read it", () => {
    expect(parseAccessFile(formatAccessFile(two)).keys).toEqual([
      { id: "00000001", consumer: "ci", hash: HASH, admin: true, createdAt: "2026-06-01T12:00:00.000Z" },
      {
        id: "00000002",
        consumer: "ci",
        hash: "cd".repeat(32),
        collections: ["docs"],
        createdAt: "2026-06-01T12:00:00.000Z",
      },
    ]);
  });
});

describe("a revoked key", () => {
  it("is found by its id, or with all others of its consumer", () => {
    expect(revokeKeys(two, "00000002", NOW).revoked).toEqual(["00000002"]);
    const all = revokeKeys(two, "ci", NOW);
    expect(all.revoked).toEqual(["00000001", "00000002"]);
    expect(all.file.keys.map((key) => stateOf(key, NOW))).toEqual(["revoked", "revoked"]);
    expect(revokeKeys(all.file, "ci", NOW + 1)).toEqual({ file: all.file, revoked: [] });
  });

  it("must have been one: else the nearest names are said", () => {
    expect(() => revokeKeys(two, "cy", NOW)).toThrow(
      expect.objectContaining({ nearest: expect.arrayContaining(["ci"]) as string[] }) as Error,
    );
  });
});

describe("the end of a key", () => {
  it.each([
    ["90d", "2026-08-30T12:00:00.000Z"],
    ["1d", "2026-06-02T12:00:00.000Z"],
    ["2030-01-31", "2030-01-31T00:00:00.000Z"],
    ["2030-01-31T08:30Z", "2030-01-31T08:30:00.000Z"],
  ])("is after %s", (text, end) => {
    expect(readExpiry(text, NOW)).toBe(end);
  });

  it.each([
    "0d",
    "-1d",
    "90",
    "1w",
    "2026-05-31",
    "2030-13-01",
    "2030-02-30",
    "2030-01-31T08:30",
    "tomorrow",
    "",
    "1e9d",
    "2026-06-01",
  ])("is never %j", (text) => {
    expect(() => readExpiry(text, NOW)).toThrow("--expires");
  });

  it("is reached at its instant", () => {
    const key = { id: "0", consumer: "x", hash: HASH, createdAt: "", expiresAt: "2026-06-01T12:00:00Z" };
    expect(stateOf(key, NOW - 1)).toBe("active");
    expect(stateOf(key, NOW)).toBe("expired");
  });
});
