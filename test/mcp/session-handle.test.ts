import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InputError } from "../../src/core/errors.ts";
import { makeHandle, readHandle, SessionCall } from "../../src/mcp/session-call.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import type { Sessions } from "../../src/surface/session/session-state.ts";

const signingKeys = createSigningKeys("secret");
const key = await signingKeys("session");

/** The error for a handle that is none. */
async function refuse(): Promise<InputError> {
  const kept = { sessions: {} as Sessions, signingKeys };
  const entered = SessionCall.enter({}, "none", kept);
  return entered.then(
    () => expect.fail("it was taken"),
    (error: InputError) => error,
  );
}

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
      expect(await readHandle(key, changed)).toBeUndefined();
    }
  });

  it("is refused by the keys of another secret or purpose", async () => {
    const { handle } = await makeHandle(key);
    for (const other of [createSigningKeys("other")("session"), createSigningKeys("secret")("cursor")]) {
      expect(await readHandle(await other, handle)).toBeUndefined();
    }
  });

  it("is refused where it is any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 20, maxLength: 60, unit: "binary" }), async (text) => {
        expect(await readHandle(key, text)).toBeUndefined();
      }),
    );
  });

  it("that is none is answered with how to open a session, or to do without", async () => {
    const error = await refuse();
    expect(error.message).toMatch(
      /Open a new one with open_session .* call without a session in arguments and address\.$/,
    );
    expect(error.example).toBe("open_session({})");
  });
});
