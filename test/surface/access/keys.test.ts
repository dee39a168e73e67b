import { describe, expect, it } from "vitest";
import { formatHex } from "../../../src/core/bytes/encodings.ts";
import { type AccessKey, hashKey } from "../../../src/surface/access/access-file.ts";
import { callerOfKey, findKey, prepareKeys } from "../../../src/surface/access/keys.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const TEXTS = ["one", "two", "three", "four"];

async function makeKeys(more: Partial<AccessKey> = {}): Promise<readonly AccessKey[]> {
  return Promise.all(
    TEXTS.map(async (text, at) => ({
      id: `0000000${at}`,
      consumer: text,
      hash: formatHex(await hashKey(text)),
      createdAt: "2026-01-01T00:00:00Z",
      ...more,
    })),
  );
}

/** Bytes that count how many of them were looked at. */
function counting(bytes: Uint8Array, count: () => void): Uint8Array {
  return new Proxy(bytes, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) count();
      return Reflect.get(target, name, target) as unknown;
    },
  });
}

describe("findKey", () => {
  it.each([...TEXTS, "none of them"])("compares every hash to its end, whether or where %j is there", async (text) => {
    const looks = TEXTS.map(() => 0);
    const keys = prepareKeys({ keys: await makeKeys() }).map(({ key, hash }, at) => ({
      key,
      hash: counting(hash, () => {
        looks[at] = (looks[at] ?? 0) + 1;
      }),
    }));
    const found = await findKey(keys, text, NOW);
    expect(typeof found === "string" ? found : found.consumer).toBe(TEXTS.includes(text) ? text : "unknown");
    expect(looks).toEqual(TEXTS.map(() => 32));
  });

  it("tells what is over from what never was", async () => {
    const ask = async (more: Partial<AccessKey>): Promise<unknown> =>
      findKey(prepareKeys({ keys: await makeKeys(more) }), "two", NOW);
    expect(await ask({ expiresAt: "2026-06-01T00:00:00Z" })).toBe("expired");
    expect(await ask({ expiresAt: "2026-06-01T00:00:01Z" })).toMatchObject({ consumer: "two" });
    expect(await ask({ revokedAt: "2030-01-01T00:00:00Z" })).toBe("revoked");
    expect(await findKey([], "two", NOW)).toBe("unknown");
  });

  it("takes a key's hash for no key", async () => {
    const keys = await makeKeys();
    expect(await findKey(prepareKeys({ keys }), keys[0]?.hash ?? "", NOW)).toBe("unknown");
  });
});

describe("who holds a key", () => {
  it("sees what it lists, all without a list, and is admin only where it says so", async () => {
    const [key] = await makeKeys();
    const bare = key as AccessKey;
    expect(callerOfKey(bare, false)).toEqual({ name: "one", collections: "all", seesPublic: false, isAdmin: false });
    expect(callerOfKey({ ...bare, collections: [], admin: true }, true)).toEqual({
      name: "one",
      collections: [],
      seesPublic: true,
      isAdmin: true,
    });
  });
});
