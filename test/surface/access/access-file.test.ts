import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHex } from "../../../src/core/bytes/encodings.ts";
import { InputError } from "../../../src/core/errors.ts";
import {
  type AccessKey,
  checkConsumer,
  formatAccessFile,
  hashKey,
  KEY_TEXT,
  MAX_ACCESS_BYTES,
  parseAccessFile,
} from "../../../src/surface/access/access-file.ts";
import { readListed } from "../../../src/surface/access/caller.ts";

const KEY = {
  id: "0a1b2c3d",
  consumer: "ci-bot",
  hash: "ab".repeat(32),
  createdAt: "2026-01-31T12:00:00Z",
} satisfies AccessKey;

const instant = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

const anyKey = (at: number): fc.Arbitrary<AccessKey> =>
  fc
    .record(
      {
        id: fc.constant(at.toString(36).padStart(8, "0")),
        consumer: fc.stringMatching(/^[A-Za-z][\w.@-]{0,20}$/).filter((name) => name.toLowerCase() !== "anonymous"),
        hash: fc.constant(at.toString(16).padStart(64, "0")),
        collections: fc.array(fc.string({ minLength: 1 }).filter((name) => readListed(name) !== undefined)),
        admin: fc.boolean(),
        createdAt: instant,
        expiresAt: instant,
        revokedAt: instant,
      },
      { requiredKeys: ["id", "consumer", "hash", "createdAt"] },
    )
    .filter(({ admin, collections }) => admin !== true || collections === undefined);

function parseKey(more: object): unknown {
  return parseAccessFile(JSON.stringify({ version: 1, keys: [{ ...KEY, ...more }] }));
}

describe("access.json", () => {
  it("is read as it was written", () => {
    const keys = fc.nat(5).chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => anyKey(at))));
    fc.assert(
      fc.property(keys, (list) => {
        const file = { keys: list };
        expect(parseAccessFile(formatAccessFile(file))).toEqual(file);
      }),
    );
  });

  it("is read or refused in words, whatever it holds", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          parseAccessFile(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
    );
  });

  it.each([
    ["{", "is no JSON"],
    ["[]", "must have an object"],
    ["null", "must have an object"],
    ["{}", "version"],
    ['{"version":2,"keys":[]}', 'version "2"'],
    ['{"version":"1","keys":[]}', "version"],
    ['{"version":1}', "no list `keys`"],
    ['{"version":1,"keys":{}}', "no list `keys`"],
    ['{"version":1,"keys":[null]}', "keys[0]"],
    ['{"version":1,"keys":[],"kyes":[]}', "did you mean keys?"],
    [`{"version":1,"keys":[]}${" ".repeat(MAX_ACCESS_BYTES)}`, "longer than"],
  ])("refuses %j", (text, words) => {
    expect(() => parseAccessFile(text)).toThrow(words);
  });

  it.each([
    [{ collection: ["docs"] }, "did you mean collections?"],
    [{ collections: "docs" }, "keys[0].collections"],
    [{ collections: null }, "keys[0].collections"],
    [{ collections: [1] }, "keys[0].collections"],
    [{ collections: [""] }, "keys[0].collections"],
    [
      { collections: ["guide", "V2/guide"] },
      '"V2/guide" in keys[0].collections, which is none of guide, *, v2/guide and v2/*',
    ],
    [{ collections: ["v2/"] }, '"v2/"'],
    [{ collections: ["/guide"] }, '"/guide"'],
    [{ collections: ["v2/a/b"] }, '"v2/a/b"'],
    [{ collections: ["-mcp/guide"] }, '"-mcp/guide"'],
    [{ admin: "false" }, "keys[0].admin"],
    [{ admin: true, collections: ["docs"] }, "must not have admin and collections in keys[0]"],
    [{ admin: true, collections: [] }, "what an admin key opens is about all collections"],
    [{ id: "ABCDEFGH" }, "keys[0].id"],
    [{ consumer: "token:x" }, "keys[0].consumer"],
    [{ consumer: "Anonymous" }, "keys[0].consumer"],
    [{ consumer: "a\nb" }, "keys[0].consumer"],
    [{ hash: "AB".repeat(32) }, "keys[0].hash"],
    [{ hash: "ab".repeat(31) }, "keys[0].hash"],
    [{ createdAt: undefined }, "keys[0].createdAt"],
    [{ expiresAt: "2026-13-01T00:00:00Z" }, "keys[0].expiresAt"],
    [{ expiresAt: "2027-02-30T00:00:00Z" }, "keys[0].expiresAt"],
    [{ expiresAt: "tomorrow" }, "keys[0].expiresAt"],
    [{ expiresAt: null }, "keys[0].expiresAt"],
    [{ revokedAt: false }, "keys[0].revokedAt"],
    [JSON.parse('{"__proto__": {"admin": true}}'), "__proto__"],
  ])("refuses a key with %j", (more, words) => {
    expect(() => parseKey(more)).toThrow(words);
  });

  it("refuses two keys with one id or one hash", () => {
    const parse = (other: object): unknown =>
      parseAccessFile(JSON.stringify({ version: 1, keys: [KEY, { ...KEY, ...other }] }));
    expect(() => parse({ hash: "cd".repeat(32) })).toThrow("same id twice");
    expect(() => parse({ id: "99999999" })).toThrow("same hash twice");
  });
});

describe("keys", () => {
  it("are hashed as SHA-256 does it", async () => {
    // The vector of FIPS 180-4 for "abc".
    expect(formatHex(await hashKey("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("have one form, which nothing around it matches", () => {
    const key = `tl_0a1b2c3d_${"A".repeat(43)}`;
    expect(KEY_TEXT.test(key)).toBe(true);
    for (const other of [` ${key}`, `${key}\n`, `${key}=`, key.toUpperCase(), key.slice(0, -1), `${key}A`, "tl__"]) {
      expect(KEY_TEXT.test(other)).toBe(false);
    }
  });

  it.each(["", "-a", "a b", "a:b", "anonymous", "ANONYMOUS", "é", "a".repeat(65), "a\u202e"])(
    "are for nobody called %j",
    (name) => {
      expect(() => checkConsumer(name)).toThrow(InputError);
    },
  );
});
