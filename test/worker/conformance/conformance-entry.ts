/**
 * A Worker for the conformance suite: the product's endpoint, host check and server over a small index, with the suite's
 * fixtures beside the product's own tools, resources and prompts.
 */

import { answerMcp, refuseMethod } from "../../../src/mcp/endpoint.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { getPrompt, LISTED_PROMPTS } from "../../../src/mcp/prompts.ts";
import { listResources, readResource } from "../../../src/mcp/resources.ts";
import { answerCall, createMcpServer, listTools } from "../../../src/mcp/server.ts";
import { refuseOrigin } from "../../../src/surface/access/deployment.ts";
import served from "../../fixtures/served-index.json" with { type: "json" };
import { serveIndex } from "../../mcp/tools/serve-index.ts";
import { callFixture, FIXTURE_PROMPTS, FIXTURE_RESOURCES, FIXTURE_TOOLS, getFixture, readFixture } from "./fixtures.ts";

const LOOPBACK = { allowedHosts: "localhost,127.0.0.1,[::1]", allowedOrigins: undefined };

const tools = offeredTools();
let opened: ReturnType<typeof serveIndex> | undefined;

/** The product's server; what it does not know is looked for among the fixtures. */
const createFixtureServer: typeof createMcpServer = (set, services, profiles) => {
  const server = createMcpServer(set, services, profiles);
  server.setRequestHandler("tools/list", async () => {
    const listed = await listTools(services, profiles);
    return { tools: [...listed.tools, ...FIXTURE_TOOLS] };
  });
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const given = params.arguments ?? {};
    return callFixture(params.name, given, context) ?? answerCall(set, services, profiles, params.name, given);
  });
  server.setRequestHandler("resources/list", async ({ params }) => {
    const listed = await listResources(params?.cursor, services);
    return { ...listed, resources: [...listed.resources, ...FIXTURE_RESOURCES] };
  });
  server.setRequestHandler(
    "resources/read",
    async ({ params }) => readFixture(params.uri) ?? readResource(params.uri, services),
  );
  server.setRequestHandler("prompts/list", () => ({ prompts: [...LISTED_PROMPTS, ...FIXTURE_PROMPTS] }));
  server.setRequestHandler(
    "prompts/get",
    ({ params }, context) =>
      getFixture(params.name, params.arguments ?? {}, context) ?? getPrompt(params.name, params.arguments ?? {}),
  );
  // The suite completes an argument of its own prompt, for which there are no values.
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
};

export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOrigin(request, LOOPBACK);
    if (refusal !== undefined) return Response.json({ error: refusal }, { status: 403 });
    if (request.method !== "POST") return refuseMethod(request.method, "/mcp");
    opened ??= serveIndex(served);
    return answerMcp(request, tools, (await opened).services, createFixtureServer);
  },
};
