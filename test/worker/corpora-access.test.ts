/** Several corpora of a deployment with keys: who sees what of which, and who is told that there is one. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { formatHex } from "../../src/core/bytes/encodings.ts";
import { formatAccessFile, hashKey } from "../../src/surface/access/access-file.ts";
import { GROUPED } from "../support/grouped-files.ts";
import { publishGroups } from "./access-files.ts";
import { askAs, callAs, type Settings } from "./ask-as.ts";
import { FIXTURES, publishCorpus, watchBucket } from "./corpus-files.ts";
import { withoutEcho } from "./without-echo.ts";

/** Nothing is counted but where a test looks at what is. */
const PUBLIC = { QUERY_INSIGHTS: "off" };
const PRIVATE = { ...PUBLIC, ACCESS: "private" };
const LAMPS = "lantern";
const WORDS: readonly string[] = [...GROUPED.map(({ word }) => word.toLowerCase()), LAMPS];

/** What keys list; absent for all. */
const LISTS: Readonly<Record<string, readonly string[] | undefined>> = {
  everything: undefined,
  "root-docs": ["docs", "docs-code"],
  "v1-plans": ["v1/plans", "v1/plans-code"],
  "half-of-v1-plans": ["v1/plans"],
  "all-of-v1": ["v1/*"],
  "all-of-v2": ["v2/*"],
  mixed: ["plans", "plans-code", "v1/docs", "v1/docs-code", "v2/docs"],
};
const NAMES = Object.keys(LISTS);

const keyOf = (name: string): string => `tl_0000000${NAMES.indexOf(name)}_${String(NAMES.indexOf(name)).repeat(43)}`;
const bearer = (name: string): Record<string, string> => ({ Authorization: `Bearer ${keyOf(name)}` });

/** Words of a corpus' texts that a list opens, said plainly. The corpus v2 holds one public group of two collections. */
function wordsOpen(list: readonly string[] | undefined, corpus: string, seesPublic: boolean): readonly string[] {
  const opens = (name: string): boolean =>
    list === undefined ||
    (corpus === "" ? list.includes(name) : list.includes(`${corpus}/${name}`) || list.includes(`${corpus}/*`));
  if (corpus === "v2") return seesPublic || (opens("docs") && opens("notes")) ? [LAMPS] : [];
  const ofGroup = (access: string): readonly string[] =>
    GROUPED.filter((one) => one.access === access).flatMap(({ name }) => [name, `${name}-code`]);
  return GROUPED.filter(({ access }) => (seesPublic && access === "public") || ofGroup(access).every(opens)).map(
    ({ word }) => word.toLowerCase(),
  );
}

/** The body of an answer without what differs from request to request. */
async function bodyOf(response: Response): Promise<string> {
  return (await response.text()).replaceAll(/[0-9a-f]{32}/g, "TRACE");
}

beforeAll(async () => {
  await publishGroups();
  await publishCorpus("v1", FIXTURES.grouped);
  await publishCorpus("v2", FIXTURES.handbook);
  const keys = await Promise.all(
    NAMES.map(async (name, at) => ({
      id: `0000000${at}`,
      consumer: name,
      hash: formatHex(await hashKey(keyOf(name))),
      createdAt: "2026-01-01T00:00:00Z",
      ...(name === "everything" && { admin: true }),
      ...(LISTS[name] && { collections: LISTS[name] }),
    })),
  );
  await env.INDEX.put("access.json", formatAccessFile({ keys }));
});
afterEach(() => vi.restoreAllMocks());

describe.each([
  ["public", PUBLIC],
  ["private", PRIVATE],
] as const)("a deployment that is %s", (_, settings: Settings) => {
  const isPublic = settings !== PRIVATE;

  it.each(NAMES)("shows the key %s of each corpus what its list opens there, and nothing of another", async (name) => {
    for (const corpus of ["", "v1", "v2"]) {
      const open = wordsOpen(LISTS[name], corpus, isPublic);
      const prefix = corpus === "" ? "" : `/${corpus}`;
      const hidden = WORDS.filter((word) => !open.includes(word));
      const headers = bearer(name);
      for (const path of ["/llms.txt", "/status"]) {
        const text = (await (await askAs(settings, `${prefix}${path}`, { headers })).text()).toLowerCase();
        for (const word of hidden) expect(text, `${name} ${prefix}${path}`).not.toContain(word);
      }
      for (const word of WORDS) {
        const texts = await Promise.all([
          askAs(settings, `${prefix}/search?q=${word}`, { headers }).then((answer) => answer.text()),
          callAs(settings, "search_documents", { query: word }, headers, `${prefix}/mcp`).then((answer) =>
            answer.text(),
          ),
        ]);
        const said = texts.map((text) => withoutEcho(text, [word])).join();
        for (const other of hidden) expect(said, `${name} ${prefix} ${word}`).not.toContain(other);
        const { results = [] } = JSON.parse(texts[0] ?? "") as { results?: unknown[] };
        if (open.includes(word)) expect(results.length, `${name} ${prefix} ${word}`).toBeGreaterThan(0);
      }
    }
  });

  it.each(NAMES)("names to the key %s the corpora of which it may open something", async (name) => {
    const response = await askAs(settings, "/corpora", { headers: bearer(name) });
    const { corpora } = (await response.json()) as { corpora: { name: string }[] };
    const list = LISTS[name];
    const told = ["", "v1", "v2"].filter(
      (corpus) =>
        isPublic ||
        list === undefined ||
        list.some((entry) => (corpus === "" ? !entry.includes("/") : entry.startsWith(`${corpus}/`))),
    );
    expect(corpora.map((corpus) => corpus.name)).toEqual(told);
    expect(response.headers.get("Cache-Control")).toBe("private, max-age=60");
    const wrong = await askAs(settings, "/v3/search?q=a", { headers: bearer(name) });
    const { nearest } = (await wrong.json()) as { nearest: string[] };
    expect(wrong.status).toBe(404);
    expect(["v1", "v2"].filter((corpus) => nearest.includes(`/${corpus}/mcp`))).toEqual(
      told.filter((one) => one !== ""),
    );
  });
});

describe("a private deployment", () => {
  const paths = ["/search?q=a", "/status", "/insights", "/llms.txt", "/tree/docs:a.md", "/nothing", "", "/sse"];

  it("tells strangers of no corpus: what is there is refused like what is not, and nothing is read for it", async () => {
    const bucket = watchBucket();
    for (const path of paths) {
      const answers = await Promise.all(
        ["v1", "x1"].map(async (corpus) => {
          const response = await askAs(PRIVATE, `/${corpus}${path}`);
          expect(response.status).toBe(401);
          return (await bodyOf(response)).replaceAll(corpus, "NAME");
        }),
      );
      expect(answers[0]).toBe(answers[1]);
    }
    expect((await askAs(PRIVATE, "/corpora")).status).toBe(401);
    expect(bucket.take()).toEqual([]);
  });

  it("says at open addresses the same of every name, and reads nothing for it", async () => {
    await askAs(PRIVATE, "/v1/search?q=a", { headers: bearer("everything") });
    const bucket = watchBucket();
    const login = { ...PRIVATE, AUTHORIZATION_SERVERS: "https://login.example.org" };
    for (const path of ["/health", "/connect", "/server.json", "/mcp/server-card", "/.well-known/ai-catalog.json"]) {
      const [there, made] = await Promise.all(
        ["v2", "x2"].map(async (corpus) => {
          const response = await askAs(login, `/${corpus}${path}`);
          expect(response.status, path).toBe(200);
          // Links for clients hold it in base64.
          return (await bodyOf(response)).replaceAll(corpus, "NAME").replaceAll(/config=[^"&]*/g, "");
        }),
      );
      expect(there).toBe(made);
    }
    for (const corpus of ["v1", "x1"]) {
      const path = `/.well-known/oauth-protected-resource/${corpus}/mcp`;
      expect(await (await askAs(login, path)).json()).toMatchObject({
        resource: `https://docs.example.org/${corpus}/mcp`,
      });
      const refused = await callAs(login, "index_status", {}, {}, `/${corpus}/mcp`);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("WWW-Authenticate")).toBe(
        `Bearer resource_metadata="https://docs.example.org${path}"`,
      );
    }
    const { entries } = (await (await askAs(login, "/.well-known/ai-catalog.json")).json()) as { entries: object[] };
    expect(entries).toHaveLength(1);
    expect(bucket.take()).toEqual([]);
  });

  it("answers who may see nothing of the root as if nothing were published there, and reads nothing of it", async () => {
    const { id: generation } = (await (await askAs(PRIVATE, "/status", { headers: bearer("everything") })).json()) as {
      id: string;
    };
    expect(generation).toMatch(/^[0-9a-f]+$/);
    const bucket = watchBucket();
    const headers = bearer("all-of-v2");
    for (const path of ["/status", "/llms.txt", "/search?q=a", "/tree/docs:a.md", "/summary"]) {
      const response = await askAs(PRIVATE, path, { headers });
      expect(response.status, path).toBe(503);
      const text = await response.text();
      expect(text, path).toContain("No index is published here");
      expect(text, path).not.toContain(generation);
    }
    const opened = await askAs(PRIVATE, "/session", { method: "POST", headers });
    expect(opened.status).toBe(503);
    expect(await (await callAs(PRIVATE, "index_status", {}, headers)).text()).toContain("No index is published here");
    const list = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "treeline://status" } };
    const resource = await askAs(PRIVATE, "/mcp", {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", "MCP-Protocol-Version": "2025-06-18" },
      body: JSON.stringify(list),
    });
    expect(await resource.text()).not.toContain(generation);
    expect(bucket.take().filter((asked) => asked !== "get access.json")).toEqual([]);
    for (const name of ["root-docs", "mixed", "everything"]) {
      expect((await askAs(PRIVATE, "/status", { headers: bearer(name) })).status, name).toBe(200);
    }
    expect((await askAs(PUBLIC, "/status", { headers })).status).toBe(200);
  });

  it("answers who may see nothing of a corpus as if it were not there", async () => {
    for (const path of paths) {
      const [there, made] = await Promise.all(
        ["v2", "v3"].map(async (corpus) => {
          const response = await askAs(PRIVATE, `/${corpus}${path}`, { headers: bearer("v1-plans") });
          expect(response.status, path).toBe(404);
          return (await bodyOf(response)).replaceAll(corpus, "NAME");
        }),
      );
      expect(there).toBe(made);
    }
  });
});

describe("what belongs to the deployment", () => {
  it("counts requests of a caller to all corpora together", async () => {
    const counted: string[] = [];
    const limiter = { limit: async ({ key }: { key: string }) => ({ success: counted.push(key) <= 3 }) };
    const settings = { ...PUBLIC, RATE_LIMITS: "on", RATE_LIMIT: limiter };
    const statuses: number[] = [];
    for (const path of ["/search?q=a", "/v1/search?q=a", "/v2/search?q=a", "/v1/search?q=a", "/made-up/search?q=a"]) {
      statuses.push((await askAs(settings, path, { headers: { "CF-Connecting-IP": "192.0.2.1" } })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(new Set(counted).size).toBe(1);
  });

  it("lets a session be used by who sees the same of its corpus alone", async () => {
    const open = await askAs(PRIVATE, "/v1/session", { method: "POST", headers: bearer("all-of-v1") });
    const { session } = (await open.json()) as { session: string };
    const stateFor = async (name: string): Promise<string> =>
      (await callAs(PRIVATE, "session_state", { session }, bearer(name), "/v1/mcp")).text();
    expect(await stateFor("all-of-v1")).toContain("generation ");
    // The same groups of v1, by a key for everything.
    expect(await stateFor("everything")).toContain("generation ");
    expect(await stateFor("v1-plans")).toContain("There is no such session here");
  });

  it("counts questions of each corpus apart, and shows each to holders of an admin key", async () => {
    const counted: string[] = [];
    const INSIGHTS = {
      getByName: (object: string) => ({
        count: async (entries: readonly { query: string }[]) => {
          counted.push(...entries.map(({ query }) => `${object}: ${query}`));
        },
        read: async () => ({ since: object, queries: [] }),
        ping: async () => "ok",
      }),
    };
    await askAs({ INSIGHTS }, "/search?q=capybara");
    await askAs({ INSIGHTS }, "/v1/search?q=axolotl");
    const report = await askAs({ INSIGHTS }, "/v1/insights", { headers: bearer("everything") });
    expect(await report.json()).toMatchObject({ since: "insights/v1" });
    expect((await askAs({ INSIGHTS }, "/v1/insights", { headers: bearer("all-of-v1") })).status).toBe(403);
    await vi.waitFor(() => expect(counted.sort()).toEqual(["insights/v1: axolotl", "insights: capybara"]), 10_000);
  });

  it("says which corpus a status is about, and looks at its own index", async () => {
    const headers = bearer("everything");
    const status = (await (await askAs(PRIVATE, "/v2/status", { headers })).json()) as {
      corpus: string;
      collections: { name: string }[];
      checks: { name: string; state: string }[];
    };
    expect(status.corpus).toBe("v2");
    expect(status.collections.map(({ name }) => name)).toEqual(["docs", "notes"]);
    expect(status.checks).toEqual(
      expect.arrayContaining([
        { name: "pointer", state: "ok", needed: true },
        { name: "index", state: "ok", needed: true },
      ]),
    );
    expect(await (await askAs(PRIVATE, "/status", { headers })).json()).not.toHaveProperty("corpus");
  });
});
