import { describe, expect, it } from "vitest";
import { SessionCall } from "../../src/mcp/session-call.ts";
import type { SessionState, Sessions, StatePart } from "../../src/surface/session/session-state.ts";

/** Tokens that the last line of an answer takes to say how much of a budget is used. */
const LINE = 15;
const LEAST = 150;

function limit(tokenBudget: number, tokens: number, asked: number, sessionParts: readonly StatePart[] = []): number {
  const state = { settings: { tokenBudget }, tokens } as SessionState;
  return new SessionCall({} as Sessions, "", state).limitTokens({ sessionParts }, asked, LEAST);
}

describe("the tokens of an answer within a session", () => {
  it("are those asked for where the session has no budget", () => {
    expect(limit(0, 400, 2000)).toBe(2000);
  });

  it("leave room for the line about the budget, in the call and in the session", () => {
    expect(limit(100_000, 400, 2000)).toBe(2000 - LINE);
    expect(limit(1000, 400, 2000)).toBe(1000 - 400 - LINE);
  });

  it("are the least where less is left", () => {
    expect(limit(1000, 1000 - LEAST - LINE - 1, 2000)).toBe(LEAST + 1);
    expect(limit(1000, 1000 - LEAST - LINE + 1, 2000)).toBe(LEAST);
    expect(limit(1000, 5000, 2000)).toBe(LEAST);
  });

  it("do not depend on what is left where a tool only looks at the session", () => {
    expect(limit(1000, 5000, 2000, ["trail"])).toBe(2000 - LINE);
  });
});
