import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSigningKeys } from "../../src/access/signing-keys.ts";
import { InputError } from "../../src/core/errors.ts";
import { makeHandle, readHandle } from "../../src/session/handle.ts";

const key = await createSigningKeys("secret")("session");

describe("a handle", () => {
  it("leads to the id that it was made with, and no two are alike", async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => makeHandle(key)));
    for (const { handle, id } of made) {
      expect(handle).toMatch(/^[\w-]{44}$/);
      expect(await readHandle(key, handle)).toBe(id);
    }
    expect(new Set(made.map(({ id }) => id)).size).toBe(50);
  });

  it("is refused with any character changed", async () => {
    const { handle } = await makeHandle(key);
    for (let at = 0; at < handle.length; at++) {
      const changed = `${handle.slice(0, at)}${handle[at] === "A" ? "B" : "A"}${handle.slice(at + 1)}`;
      await expect(readHandle(key, changed)).rejects.toThrow(InputError);
    }
  });

  it("is refused by the keys of another secret or purpose", async () => {
    const { handle } = await makeHandle(key);
    for (const other of [createSigningKeys("other")("session"), createSigningKeys("secret")("cursor")]) {
      await expect(readHandle(await other, handle)).rejects.toThrow("no such session");
    }
  });

  it("is refused, without being repeated, where it is any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 20, maxLength: 60, unit: "binary" }), async (text) => {
        const error = await readHandle(key, text).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(InputError);
        expect((error as InputError).message).not.toContain(text);
        expect((error as InputError).example).toBe("open_session({})");
      }),
    );
  });
});
