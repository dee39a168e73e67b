import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/core/errors.ts";
import { createMemorySessions } from "../../src/worker/session/session-store.ts";
import { OPENING } from "./opening.ts";

describe("createMemorySessions", () => {
  it("loads SQLite when it is first needed, once, and keeps each session apart", async () => {
    let loads = 0;
    const sessions = createMemorySessions(async () => {
      loads++;
      return { DatabaseSync };
    });
    expect(loads).toBe(0);
    await Promise.all([sessions.open("a", OPENING), sessions.open("b", OPENING)]);
    await sessions.record("a", { tokens: 7, trail: null, shown: [], pin: null });
    expect(await sessions.read("a", [])).toMatchObject({ calls: 1, tokens: 7 });
    expect(await sessions.read("b", [])).toMatchObject({ calls: 0, tokens: 0 });
    expect(await sessions.read("c", [])).toBeUndefined();
    expect(loads).toBe(1);
  });

  it("says in words that this Node has none, without keeping anybody from calling on", async () => {
    const sessions = createMemorySessions(() => Promise.reject(new Error("No such built-in module: node:sqlite")));
    const refused = sessions.open("a", OPENING);
    await expect(refused).rejects.toThrow(InputError);
    await expect(refused).rejects.toThrow("22.13. Call without session.");
  });
});
