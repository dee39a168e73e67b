import { describe, expect, it } from "vitest";
import { checkBinding, isBroken, listChecks, runChecks } from "../../src/http/status.ts";
import { formatAccessFile, NO_KEYS } from "../../src/surface/access/access-file.ts";
import type { ObjectReader } from "../../src/surface/access/keys.ts";
import type { Problem } from "../../src/surface/render/problem.ts";

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
  const file =
    (text: string): ObjectReader =>
    async () => ({ bytes: new TextEncoder().encode(text), etag: "a" });
  const stateOf = async (
    bindings: object,
    readObject: ObjectReader,
    report: (problem: Problem) => void = () => undefined,
  ) => {
    const results = await runChecks(listChecks(bindings, readObject, ""), report);
    return Object.fromEntries(results.map(({ name, state }) => [name, state]));
  };

  it("asks what is bound", async () => {
    const asked: string[] = [];
    const limiter = (name: string) => ({ limit: async () => ({ success: asked.push(name) > 0 }) });
    const bindings = {
      SESSIONS: { getByName: (name: string) => ({ read: async () => void asked.push(name) }) },
      RATE_LIMIT: limiter("requests"),
      SESSION_RATE_LIMIT: limiter("sessions"),
      TREELINE_SECRET: "a secret",
    };
    const readObject: ObjectReader = async (name) => {
      asked.push(name);
      return file(formatAccessFile(NO_KEYS))(name);
    };
    expect(await stateOf(bindings, readObject)).toEqual({
      sessions: "ok",
      insights: "absent",
      "rate-limiter": "ok",
      metrics: "absent",
      "access-file": "ok",
      secret: "ok",
    });
    expect(asked.sort()).toEqual(["access.json", "requests", "sessions", "status"]);
    const off = await stateOf({ ...bindings, RATE_LIMITS: "off" }, readObject);
    expect(off["rate-limiter"]).toBe("absent");
    expect((await stateOf({ RATE_LIMIT: limiter("") }, readObject))["rate-limiter"]).toBe("absent");
    const down = { limit: () => Promise.reject(new Error("down")) };
    expect((await stateOf({ ...bindings, RATE_LIMIT: down }, readObject))["rate-limiter"]).toBe("failed");
  });

  it("sees a file of keys that is damaged, and one that is not there", async () => {
    const problems: string[] = [];
    const note = (problem: Problem): void => void problems.push(JSON.stringify(problem));
    expect((await stateOf({}, file('{"version":1,"keys":[{}]}'), note))["access-file"]).toBe("failed");
    expect(problems.join()).toContain("keys[0]");
    expect((await stateOf({}, async () => undefined))["access-file"]).toBe("absent");
    expect((await stateOf({}, () => Promise.reject(new Error("down"))))["access-file"]).toBe("failed");
  });

  it.each([undefined, "", "  "])("fails where the secret is %j, and says what to do", async (TREELINE_SECRET) => {
    const problems: string[] = [];
    const states = await stateOf(
      { TREELINE_SECRET },
      async () => undefined,
      (problem) => problems.push(JSON.stringify(problem)),
    );
    expect(states["secret"]).toBe("failed");
    expect(problems.join()).toContain("wrangler secret put TREELINE_SECRET");
  });
});
