import { describe, expect, it } from "vitest";
import { FormatError, InputError } from "../../src/core/errors.ts";
import type { HttpServices } from "../../src/http/respond.ts";
import { answerSession } from "../../src/http/session-api.ts";
import type { Problem } from "../../src/surface/render/problem.ts";
import { fakeReader } from "../support/fake-reader.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

type OpenSession = NonNullable<Parameters<typeof answerSession>[2]>;

async function ask(open: OpenSession | undefined, body = "{}") {
  const reported: Problem["kind"][] = [];
  const services: HttpServices = {
    withReader: async (run) => ({ value: await run(fakeReader()) }),
    base: "http://localhost",
    isShared: false,
    now: 0,
    report: ({ kind }) => reported.push(kind),
    trace: TRACE,
  };
  const response = await answerSession(
    new Request("http://localhost/session", { method: "POST", body }),
    services,
    open,
  );
  return { status: response.status, body: (await response.json()) as { error?: string; example?: string }, reported };
}

const failWith =
  (error: Error): OpenSession =>
  async () => {
    throw error;
  };

describe("POST /session", () => {
  it("answers 201 with what was opened out of its body", async () => {
    const { status, body } = await ask(async (text) => ({ text }), ' {"scope": "ä"}');
    expect([status, body]).toEqual([201, { text: ' {"scope": "ä"}' }]);
  });

  it("blames callers for what is theirs alone, and names the trace of the rest", async () => {
    expect(await ask(failWith(new InputError("No.", ["docs"], "{}")))).toMatchObject({
      status: 400,
      body: { error: "No.", nearest: ["docs"], example: "{}" },
    });
    const damaged = await ask(failWith(new FormatError("root", { code: "malformed", reason: "x" })));
    expect([damaged.status, damaged.reported]).toEqual([503, ["damaged-index"]]);
    const failed = await ask(failWith(new Error("the storage of sessions is down")));
    expect([failed.status, failed.reported]).toEqual([500, ["internal"]]);
    for (const { body } of [damaged, failed]) expect(body.error).toContain(TRACE);
    expect(failed.body.error).not.toContain("storage of sessions");
  });

  it("is not there where no sessions are kept", async () => {
    expect(await ask(undefined)).toMatchObject({ status: 404, body: { error: "This server keeps no sessions." } });
  });
});
