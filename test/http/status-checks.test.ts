import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { answerStatus, listChecks } from "../../src/http/status.ts";
import { formatAccessFile, NO_KEYS } from "../../src/surface/access/access-file.ts";
import type { ObjectReader } from "../../src/surface/access/keys.ts";
import type { Problem } from "../../src/surface/render/problem.ts";
import { buildPages, type OpenReader } from "../support/build-index.ts";
import { servicesOf } from "../support/http-services.ts";

type StatusServices = Parameters<typeof answerStatus>[0];
type Check = StatusServices["checks"][number];

let opened: OpenReader;
beforeAll(async () => {
  opened = await (await buildPages({ "a.md": "# A\n" })).open();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What the status says of a deployment with these parts, whose index works. */
async function statusOf(checks: readonly Check[], report: StatusServices["report"] = () => undefined) {
  const { reader } = opened;
  const response = await answerStatus({
    ...servicesOf(opened),
    ...{ checks, report, corpus: "", openPublished: async () => reader },
  });
  const { checks: results } = (await response.json()) as { checks: { name: string; state: string }[] };
  const states = results.map(({ name, state }): [string, string] => [name, state]);
  return { status: response.status, states: states.filter(([name]) => name !== "pointer" && name !== "index") };
}

describe("the status of a deployment", () => {
  const ok = async (): Promise<"ok"> => "ok";

  it("says of each part whether it works, and tells the operator why not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const reported: [Problem, string][] = [];
    const asked = statusOf(
      [
        { name: "works", isNeeded: true, run: ok },
        { name: "fails", isNeeded: false, run: () => Promise.reject(new Error("it is away")) },
        { name: "hangs", isNeeded: true, run: () => new Promise(() => undefined) },
      ],
      (problem, where) => void reported.push([problem, where]),
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect((await asked).states).toEqual([
      ["works", "ok"],
      ["fails", "failed"],
      ["hangs", "failed"],
    ]);
    expect(reported.map(([, where]) => where)).toEqual(["status/fails", "status/hangs"]);
    expect(JSON.stringify(reported[0])).toContain("it is away");
  });

  it.each([
    ["failed", false, 200],
    ["ok", true, 200],
    ["failed", true, 503],
    ["absent", true, 503],
  ] as const)("minds what is needed alone: %s, %s", async (state, isNeeded, status) => {
    const run = async (): Promise<"ok" | "absent"> => {
      if (state === "failed") throw new Error("down");
      return state;
    };
    expect(await statusOf([{ name: "a", isNeeded, run }])).toEqual({ status, states: [["a", state]] });
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
    return Object.fromEntries((await statusOf(listChecks(bindings, readObject, ""), report)).states);
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
