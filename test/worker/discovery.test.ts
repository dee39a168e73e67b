import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { DISCOVERY_PATHS } from "../../src/http/discovery.ts";
import worker from "../../src/worker/worker.ts";
import { get, post, send } from "./ask.ts";
import { publishServedIndex } from "./served-index.ts";

const ORIGIN = "http://localhost:8787";

/** What the schemas of server cards (v1) and of the registry (2025-12-11) have in common, as strict as they are. */
const described = {
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: z.url(),
};
const header = z.strictObject({
  name: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
  value: z.string(),
  variables: z.record(z.string(), z.object({ description: z.string() })),
});
const remote = {
  type: z.enum(["streamable-http", "sse"]),
  url: z.string().regex(/^https?:\/\/[^\s]+$/),
  headers: z.array(header).optional(),
};
const cardSchema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
  ...described,
  remotes: z.array(z.strictObject({ ...remote, supportedProtocolVersions: z.array(z.string()) })),
});
const registrySchema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  ...described,
  remotes: z.array(z.strictObject(remote)),
});
const catalogSchema = z.strictObject({
  specVersion: z.literal("1.0"),
  entries: z.array(z.strictObject({ identifier: z.string().startsWith("urn:air:"), type: z.string(), url: z.url() })),
});

/** A document as a deployment under another name, or a private one, serves it. */
async function askAs(path: string, { origin = ORIGIN, ACCESS = "public", accept = "*/*" } = {}): Promise<Response> {
  const request = new Request(`${origin}${path}`, { headers: { accept } });
  return worker.fetch(request, { ...env, ACCESS }, createExecutionContext());
}

describe("documents by which the server is found", () => {
  beforeAll(publishServedIndex);

  it("describe this deployment in a card and a registry file that fit their schemas", async () => {
    for (const ACCESS of ["public", "private"]) {
      const card = cardSchema.parse(await (await askAs("/mcp/server-card", { ACCESS })).json());
      const registry = registrySchema.parse(await (await askAs("/server.json", { ACCESS })).json());
      expect(card.remotes[0]?.url).toBe(`${ORIGIN}/mcp`);
      expect(card.remotes[0]?.headers?.[0]?.name).toBe(ACCESS === "private" ? "Authorization" : undefined);
      expect(registry).toMatchObject({ name: card.name, version: card.version });
    }
  });

  it.each([
    ["https://docs.example.com", "com.example.docs/treeline"],
    ["http://localhost:8787", "localhost/treeline"],
    ["http://127.0.0.1:8787", "127.0.0.1/treeline"],
    ["http://[::1]:8787", "localhost/treeline"],
  ])("name the server at %s as %s", async (origin, name) => {
    const card = cardSchema.parse(await (await askAs("/mcp/server-card", { origin })).json());
    expect(card).toMatchObject({ name, remotes: [{ url: `${origin}/mcp` }] });
  });

  it("say what the endpoint says of itself", async () => {
    const card = cardSchema.parse(await (await get("/mcp/server-card")).json());
    const versions = card.remotes[0]?.supportedProtocolVersions ?? [];
    const ask = async (method: string, params: object, headers: Record<string, string>) =>
      ((await (await post("/mcp", { jsonrpc: "2.0", id: 1, method, params }, headers)).json()) as { result: object })
        .result;
    const [modern, ...legacy] = versions;
    const meta = {
      "io.modelcontextprotocol/protocolVersion": modern,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    expect(
      await ask(
        "server/discover",
        { _meta: meta },
        { "MCP-Protocol-Version": modern ?? "", "Mcp-Method": "server/discover" },
      ),
    ).toMatchObject({ supportedVersions: [modern] });
    expect(legacy.length).toBeGreaterThan(2);
    for (const protocolVersion of legacy) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
      expect(await ask("initialize", params, {})).toMatchObject({
        protocolVersion,
        serverInfo: { name: "treeline", version: card.version },
      });
    }
  });

  it("lead from the catalog to the card", async () => {
    const response = await get("/.well-known/ai-catalog.json");
    expect(response.headers.get("Content-Type")).toBe("application/ai-catalog+json");
    const [entry] = catalogSchema.parse(await response.json()).entries;
    const card = await get(new URL(entry?.url ?? "").pathname, { Accept: entry?.type ?? "" });
    expect(card.headers.get("Content-Type")).toBe(entry?.type);
    expect(cardSchema.safeParse(await card.json()).success).toBe(true);
  });

  it.each(DISCOVERY_PATHS)("are cached, readable by pages and nothing else at %s", async (path) => {
    const response = await get(path, { Origin: "http://localhost:3000" });
    expect(response.status).toBe(200);
    const seconds = path.endsWith("catalog.json") ? 300 : 3600;
    expect(response.headers.get("Cache-Control")).toBe(`public, max-age=${seconds}`);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const etag = response.headers.get("ETag") ?? "";
    expect(response.headers.get("Access-Control-Expose-Headers")).toContain("ETag");
    expect((await get(path, { "If-None-Match": etag })).status).toBe(304);
    const head = await send("HEAD", path);
    expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, etag, ""]);
    expect((await send("POST", path)).status).toBe(405);
  });

  it("say how clients are connected, as JSON and as Markdown", async () => {
    const json = (await (await get("/connect")).json()) as { url: string; clients: { id: string }[] };
    expect(json.url).toBe(`${ORIGIN}/mcp`);
    expect(json.clients.map(({ id }) => id)).toContain("claude-code");
    const markdown = await get("/connect", { Accept: "text/markdown" });
    expect(markdown.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
    expect(markdown.headers.get("Vary")).toContain("Accept");
    expect(await markdown.text()).toContain(`claude mcp add --transport http treeline ${ORIGIN}/mcp\n`);
    const closed = await askAs("/connect", { ACCESS: "private", accept: "text/markdown" });
    expect(await closed.text()).toContain("$TREELINE_KEY");
  });
});
