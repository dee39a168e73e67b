/** Routes of the Worker and their answers, held against their description: members that it does not name fail. */
import { beforeAll, describe, expect, it } from "vitest";
import { describedRoutes, problem } from "../../src/http/api/routes.ts";
import { OPEN_PATHS } from "../../src/http/callers.ts";
import { EXPLORER_PAGES } from "../../src/http/explorer/explorer-pages.ts";
import { EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "../../src/http/page-files.ts";
import { PAGEFIND_PATH } from "../../src/http/pagefind-api.ts";
import worker from "../../src/worker/worker.ts";
import { KEYS, publishGroups } from "./access-files.ts";
import { type Asked, askAs, type Settings } from "./ask-as.ts";

const ORIGIN = "https://docs.example.org";
const KEY = { headers: { Authorization: `Bearer ${KEYS.all}` } };
const PAGE = "docs:guide/meadow-setup.md";
/** What pages for people alone ask is in no description of an interface. */
const FOR_PAGES = new Set([
  ...EXPLORER_PAGES.map(({ path }) => path).filter((path) => path !== "/"),
  ...EXPLORER_FILE_PATHS,
  ...PAGE_SCRIPT_PATHS,
  PAGEFIND_PATH,
]);

/** An address template as the router has it: the last parameter of a GET takes slashes. */
function patternOf(method: string, path: string): string {
  return method === "get" ? path.replace(/\{\w+\}$/, "*") : path.replace(/\{(\w+)\}/g, ":$1");
}

/** The answer to a request, its status as the document has it, and its body parsed strictly. */
async function answerOf(operationId: string, path: string, asked: Asked = {}, settings: Settings = {}) {
  const route = describedRoutes.find((one) => one.operationId === operationId);
  const response = await askAs(settings, path, asked);
  const type = (response.headers.get("Content-Type") ?? "").replace(/;.*/, "");
  const text = await response.text();
  const described = route?.answers[response.status];
  if (described === undefined) {
    expect(response.status, `${path}: ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
    // Pages refuse browsers with a page.
    if (type !== "text/html") expect(problem.safeParse(JSON.parse(text)).error).toBeUndefined();
    else expect(path).toMatch(/html/);
  } else if (Object.keys(described).length > 0) {
    expect(Object.keys(described)).toContain(type);
    expect(described[type]?.safeParse(JSON.parse(text)).error).toBeUndefined();
  }
  return { status: response.status, type, text, headers: response.headers };
}

describe("the description of the interface", () => {
  beforeAll(publishGroups);

  it("has every route of the Worker, and no other", () => {
    const inCode = worker.routes
      .filter(({ method, path }) => (method === "GET" || method === "POST") && path !== "/*" && !FOR_PAGES.has(path))
      .map(({ method, path }) => `${method} ${path}`);
    const described = describedRoutes
      // What no route takes may be the Markdown of a page.
      .filter(({ path }) => path !== "/{page}.md")
      .map(({ method, path }) => `${method.toUpperCase()} ${patternOf(method, path)}`);
    expect([...described].sort()).toEqual([...new Set(inCode)].sort());
  });

  it.each([
    ["search", "/search?q=setup&explain=true"],
    ["search", "/search?q=meadwo&limit=1&limt=3"],
    ["search", `/search?q=${encodeURIComponent('"no such phrase" -zebra tags:lnx set*')}`],
    ["search", `/search?q=${encodeURIComponent('setup"')}&typing=true`],
    ["search", "/search?q=of+the"],
    ["search", "/search?q=a&limit=x"],
    ["search", "/search?q=a&collection=dcos"],
    ["suggest", "/suggest?q=se&limit=90"],
    ["suggest", "/suggest?q="],
    ["getDocument", `/documents/${PAGE}`],
    ["getDocument", `/documents/${PAGE}?format=markdown`],
    ["getDocument", "/documents/docs:guide/meadow-stup.md"],
    ["getDocumentTree", `/tree/${PAGE}`],
    ["getDocumentTree", "/tree/nothing"],
    ["getDocument", `/documents/${PAGE}?format=html`],
    ["showRoot", "/"],
    ["showRoot", "/?format=html"],
    ["getMap", "/llms.txt"],
    ["getFullText", "/llms-full.txt?code=true"],
    ["getFullText", "/llms-full.txt?from=x"],
    ["getSummary", "/summary"],
    ["getSummary", "/summary?collection=dcos"],
    ["getStatus", "/status"],
    ["getHealth", "/health"],
    ["getInsights", "/insights"],
    ["listCorpora", "/corpora"],
    ["listCorpora", "/corpora?format=markdown"],
    ["getConnect", "/connect"],
    ["getConnect", "/connect?format=markdown"],
    ["getOpenApi", "/openapi.json"],
    ["getServerCard", "/mcp/server-card"],
    ["getCatalog", "/.well-known/ai-catalog.json"],
    ["getRegistryFile", "/server.json"],
  ])("is kept to by %s at %s, to everybody and to those with a key", async (operationId, path) => {
    const open = await answerOf(operationId, path);
    const known = await answerOf(operationId, path, KEY);
    const closed = await answerOf(operationId, path, {}, { ACCESS: "private" });
    expect(closed.status).toBe(OPEN_PATHS.has(path.replace(/\?.*/, "")) ? open.status : 401);
    for (const { headers } of [open, known, closed]) expect(headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("is kept to by refusals of callers", async () => {
    const refused = await answerOf("search", "/search?q=a", { headers: { Authorization: "Bearer x" } });
    expect(refused.status).toBe(401);
    const host = await answerOf("search", "/search?q=a", {}, { ALLOWED_HOSTS: "other.example" });
    expect(host.status).toBe(403);
    const limited = { RATE_LIMITS: "", RATE_LIMIT: { limit: async () => ({ success: false }) } };
    const often = await answerOf("search", "/search?q=a", {}, limited);
    expect([often.status, often.headers.get("Retry-After")]).toEqual([429, "60"]);
  });

  it("is kept to by POST /session and by the MCP endpoint", async () => {
    const session = (body: string) => answerOf("openSession", "/session", { method: "POST", body });
    expect((await session('{"scope": {"collections": ["docs"]}}')).status).toBe(201);
    expect((await session('{"scope": {"collections": ["dosc"]}}')).status).toBe(400);
    expect((await session(" ".repeat(70_000))).status).toBe(413);
    for (const [operationId, path] of [
      ["callMcp", "/mcp"],
      ["callMcpAtOldAddress", "/sse"],
    ] as const) {
      const listed = await answerOf(operationId, path, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
      expect(listed.status).toBe(200);
    }
  });

  it("is kept to by the metadata of a protected resource, where there is one", async () => {
    const path = "/.well-known/oauth-protected-resource";
    expect((await answerOf("getResourceMetadata", path)).status).toBe(404);
    const settings = { AUTHORIZATION_SERVERS: "https://team.example.com" };
    expect((await answerOf("getResourceMetadata", path, {}, settings)).status).toBe(200);
  });
});

describe("/openapi.json", () => {
  beforeAll(publishGroups);

  it("names the server that gives it, and whether callers need a key", async () => {
    const open = await askAs({}, "/openapi.json");
    expect(open.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await open.json()).toMatchObject({
      openapi: "3.1.0",
      servers: [{ url: ORIGIN }],
      security: [{}, { key: [] }],
    });
    const closed = await (await askAs({ ACCESS: "private" }, "/openapi.json")).json();
    expect(closed).toMatchObject({ security: [{ key: [] }], paths: { "/health": { get: { security: [{}] } } } });
  });

  it("is kept for an hour, and confirmed to those who have it", async () => {
    const first = await askAs({}, "/openapi.json");
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=3600");
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect((await askAs({}, "/openapi.json", { headers })).status).toBe(304);
    expect((await askAs({}, "/openapi.json", { headers, origin: "https://other.example" })).status).toBe(200);
    expect((await askAs({}, "/openapi.json", { method: "DELETE" })).status).toBe(405);
  });
});
