import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { statusCommands } from "../../../../indexer/cli/commands/status.ts";
import { runCommands } from "../../../support/list-command.ts";
import { makeCorpus } from "../../../support/small-corpus.ts";

const STATUS = {
  status: "ok",
  id: "0123456789ab",
  commit: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d",
  builtAt: new Date(Date.now() - 7_200_000).toISOString(),
  documents: 12,
  sections: 40,
  indexBytes: 9000,
  collections: [{ name: "docs", documents: 12, sections: 40 }],
  checks: [
    { name: "pointer", state: "ok", needed: true },
    { name: "sessions", state: "absent", needed: false },
  ],
};

const stops: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const stop of stops.splice(0)) stop();
});

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/** A server that answers these paths and writes down what keys it was shown. */
async function serve(
  answers: Readonly<Record<string, Answer>>,
): Promise<{ url: string; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    const { status = 200, body } = answers[request.url ?? ""] ?? { status: 404, body: "<html>" };
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

const run = (...words: readonly string[]) => runCommands([statusCommands.status, statusCommands.insights], words);

describe("treeline status URL", () => {
  it("says what the server answers from and which of its parts work", async () => {
    const { url } = await serve({ "/status": { body: STATUS } });
    const { code, out, err } = await run("status", `${url}/mcp`);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("generation 0123456789ab\n");
    expect(out).toContain(
      "built 2 h ago\n12 documents, 40 sections, 9000 bytes of index\n  docs: 12 documents, 40 sections",
    );
    expect(out).toContain("ok     pointer\nabsent sessions (optional)");
  });

  it("says what the server says of a corpus that there is not, with the nearest that there are", async () => {
    const body = { error: 'There is no corpus "v9" here.', nearest: ["/v1/mcp", "/v2/mcp", "/mcp", "/search?q=…"] };
    const { url } = await serve({ "/v9/status": { status: 404, body } });
    const { code, out, err } = await run("status", `${url}/v9`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain('There is no corpus "v9" here.');
    expect(err).toContain(`did you mean: ${url}/v1, ${url}/v2?`);
  });

  it("ends with 1 where a part fails that is needed, and says why", async () => {
    const checks = [{ name: "pointer", state: "failed", needed: true }];
    const body = { status: "failing", error: "The published index is damaged.", checks };
    const { url } = await serve({ "/status": { status: 503, body } });
    const { code, out } = await run("status", url);
    expect(code).toBe(1);
    expect(out).toBe("The published index is damaged.\nfailed pointer");
  });

  it("compares it with an index that was built here", async () => {
    const corpus = await makeCorpus({ "a.md": "# A\n\nWords.\n" });
    await corpus.build("one");
    const index = join(corpus.dir, "indexes", "one");
    const { out: json } = await run("status", "--index", index, "--json");
    const { generation } = JSON.parse(json) as { generation: { id: string } };
    const { url } = await serve({ "/status": { body: STATUS } });
    const other = await run("status", url, "--index", index);
    expect(other.code).toBe(1);
    expect(other.out).toContain(`generation here: ${generation.id}, another one`);
    const { url: same } = await serve({ "/status": { body: { ...STATUS, id: generation.id } } });
    const equal = await run("status", same, "--index", index, "--json");
    expect(equal.code).toBe(0);
    expect(JSON.parse(equal.out)).toMatchObject({
      url: same,
      id: generation.id,
      compared: expect.arrayContaining([
        { what: "generation", here: generation.id, there: generation.id, differs: false },
      ]),
    });
  });

  it("takes the address for that of an index where no server answers", async () => {
    const { url } = await serve({});
    const { code, err } = await run("status", url);
    expect(code).toBe(1);
    expect(err).toContain("index");
    expect(err).not.toContain("does not answer");
  });

  it("shows the key of the environment, over https or to this machine alone", async () => {
    const { url, keys } = await serve({ "/status": { body: STATUS } });
    vi.stubEnv("TREELINE_KEY", "a-key");
    await run("status", url);
    expect(keys).toEqual(["Bearer a-key"]);
    const refused = await run("status", "http://docs.example.com");
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("https") });
  });

  it("says what to do where the server refuses or is not there", async () => {
    const { url } = await serve({ "/status": { status: 401, body: { error: "A key is needed." } } });
    expect((await run("status", url)).err).toContain("A key is needed. Set TREELINE_KEY");
    const { url: asking } = await serve({
      "/status": { status: 401, body: { error: "Make keys with: treeline keys add NAME" } },
      "/insights": { status: 401, body: { error: "This key is not known here." } },
    });
    expect((await run("status", asking)).err).toBe(
      `treeline status: ${asking} refuses: Make keys with: treeline keys add NAME. Set TREELINE_KEY to a key that may ask this.`,
    );
    vi.stubEnv("TREELINE_KEY", "a-key");
    expect((await run("insights", asking)).err).toBe(
      `treeline insights: ${asking} refuses: This key is not known here. The key was that of TREELINE_KEY.`,
    );
    const { code, err } = await run("status", "http://127.0.0.1:9");
    expect(code).toBe(1);
    expect(err).toContain("127.0.0.1:9 does not answer");
  });
});

describe("treeline insights", () => {
  const queries = [
    { query: "fly to mars", count: 23, callers: 7, kinds: { nothing: 20, corrected: 3 }, lastSeen: "2026-08-30" },
  ];
  const report = { since: "2026-08-01", queries };

  it("lists questions with who had them", async () => {
    const { url } = await serve({ "/insights": { body: report } });
    const { code, out } = await run("insights", url);
    expect(code).toBe(0);
    expect(out).toBe(
      "1 question without a good answer since 2026-08-01:\n  23 times, 7 callers, last 2026-08-30: fly to mars (nothing 20, corrected 3)",
    );
    expect(JSON.parse((await run("insights", url, "--json")).out)).toEqual(report);
  });

  it("says so where there is nothing, and where it may not be read", async () => {
    const { url } = await serve({ "/insights": { body: { ...report, queries: [] } } });
    expect((await run("insights", url)).out).toContain("Nothing since 2026-08-01");
    const { url: closed } = await serve({ "/insights": { status: 403, body: { error: "For admins." } } });
    expect(await run("insights", closed)).toMatchObject({ code: 1, err: expect.stringContaining("For admins.") });
    expect((await run("insights")).code).toBe(2);
  });
});
