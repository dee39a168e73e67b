import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CursorScope, readCursor, signCursor } from "../../src/mcp/cursor.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";

const scope: CursorScope = {
  tool: "search_documents",
  values: { query: "a", limit: 10 },
  generation: "0123456789ab",
  collections: ["docs"],
};
const key = await createSigningKeys("a secret")("cursor");

describe("cursors", () => {
  it("give back the offset they were made for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(0xffffffff), async (offset) => {
        expect(await readCursor(key, scope, await signCursor(key, scope, offset))).toBe(offset);
      }),
    );
  });

  it("are short and fit into an address", async () => {
    expect(await signCursor(key, scope, 20)).toMatch(/^[\w-]{55}$/);
  });

  it("hold across processes that share the secret, and not under another one", async () => {
    const cursor = await signCursor(key, scope, 20);
    expect(await readCursor(await createSigningKeys("a secret")("cursor"), scope, cursor)).toBe(20);
    await expect(readCursor(await createSigningKeys("another")("cursor"), scope, cursor)).rejects.toThrow("not valid");
  });

  it("hold for as long as the process where there is no secret, and in no other", async () => {
    const ownKey = createSigningKeys(undefined);
    const [first, second] = await Promise.all([ownKey("cursor"), ownKey("cursor")]);
    const cursor = await signCursor(first, scope, 20);
    expect(await readCursor(second, scope, cursor)).toBe(20);
    await expect(readCursor(await createSigningKeys(undefined)("cursor"), scope, cursor)).rejects.toThrow("not valid");
  });

  it("are not signed with what signs anything else", async () => {
    const cursor = await signCursor(await createSigningKeys("a secret")("session"), scope, 20);
    await expect(readCursor(key, scope, cursor)).rejects.toThrow("not valid");
  });

  it("are refused when any character was changed, added or cut off", async () => {
    const cursor = await signCursor(key, scope, 20);
    await fc.assert(
      fc.asyncProperty(fc.nat(cursor.length - 2), fc.constantFrom(..."AQgw09_-z"), async (at, letter) => {
        const forged = cursor.slice(0, at) + letter + cursor.slice(at + 1);
        if (forged !== cursor) await expect(readCursor(key, scope, forged)).rejects.toThrow("not valid");
      }),
    );
    await expect(readCursor(key, scope, `${cursor}A`)).rejects.toThrow("not valid");
    await expect(readCursor(key, scope, cursor.slice(1))).rejects.toThrow("not valid");
  });

  it("are refused when they are garbage", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (garbage) => {
        await expect(readCursor(key, scope, garbage)).rejects.toThrow("not valid");
      }),
    );
  });

  it("belong to their tool and arguments; size, format and excerpts of a page may change", async () => {
    const cursor = await signCursor(key, scope, 20);
    const changed = { ...scope, values: { limit: 50, format: "json", query: "a", max_tokens: 9, cursor } };
    expect(await readCursor(key, changed, cursor)).toBe(20);
    const otherQuery = { ...scope, values: { query: "b" } };
    await expect(readCursor(key, otherQuery, cursor)).rejects.toThrow("belongs to another call");
    await expect(readCursor(key, { ...scope, tool: "list_documents" }, cursor)).rejects.toThrow("another call");
  });

  it("do not depend on the order in which arguments were given", async () => {
    const filters = { include: { a: ["1"], b: ["2"] } };
    const turned = { include: { b: ["2"], a: ["1"] } };
    const cursor = await signCursor(key, { ...scope, values: { query: "a", filters } }, 5);
    expect(await readCursor(key, { ...scope, values: { filters: turned, query: "a" } }, cursor)).toBe(5);
  });

  it("say that the index was rebuilt when they are of an older generation", async () => {
    const cursor = await signCursor(key, scope, 20);
    await expect(readCursor(key, { ...scope, generation: "ba9876543210" }, cursor)).rejects.toThrow("was rebuilt");
    await expect(readCursor(key, { ...scope, collections: ["docs", "board"] }, cursor)).rejects.toThrow(
      "other collections",
    );
  });
});
