import { describe, expect, it } from "vitest";
import { listChecks } from "../../src/http/list-checks.ts";
import { checkBinding, isBroken, runChecks } from "../../src/http/status-checks.ts";
import type { Problem } from "../../src/render/problem.ts";

const ok = async (): Promise<"ok"> => "ok";

describe("runChecks", () => {
  it("says of each part whether it works, and tells the operator why not", async () => {
    const reported: [Problem, string][] = [];
    const results = await runChecks(
      [
        { name: "works", isNeeded: true, run: ok },
        { name: "fails", isNeeded: false, run: () => Promise.reject(new Error("it is away")) },
        { name: "hangs", isNeeded: true, run: () => new Promise(() => undefined) },
        checkBinding("unbound", undefined, ok),
      ],
      (problem, where) => void reported.push([problem, where]),
      20,
    );
    expect(results.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "works ok",
      "fails failed",
      "hangs failed",
      "unbound absent",
    ]);
    expect(reported.map(([, where]) => where)).toEqual(["status/fails", "status/hangs"]);
    expect(JSON.stringify(reported[0])).toContain("it is away");
  });
});

describe("isBroken", () => {
  it("minds what is needed alone", () => {
    expect(isBroken([{ name: "a", isNeeded: false, state: "failed" }])).toBe(false);
    expect(isBroken([{ name: "a", isNeeded: true, state: "ok" }])).toBe(false);
    expect(isBroken([{ name: "a", isNeeded: true, state: "failed" }])).toBe(true);
    expect(isBroken([{ name: "a", isNeeded: true, state: "absent" }])).toBe(true);
  });
});

describe("listChecks", () => {
  it("asks what is bound, under whatever name a rate limiter has", async () => {
    const asked: string[] = [];
    const bindings = {
      INDEX: { head: async (name: string) => asked.push(name) },
      SESSIONS: { getByName: (name: string) => ({ read: async () => void asked.push(name) }) },
      BY_ADDRESS: { limit: async () => ({ success: true }) },
    };
    const results = await runChecks(listChecks(bindings), () => undefined);
    expect(Object.fromEntries(results.map(({ name, state }) => [name, state]))).toEqual({
      sessions: "ok",
      insights: "absent",
      "rate-limiter": "ok",
      metrics: "absent",
      "access-file": "ok",
    });
    expect(asked.sort()).toEqual(["access.json", "status"]);
  });
});
