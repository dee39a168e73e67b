/**
 * Routes `/.well-known/oauth-protected-resource` and the same with `/mcp` behind it (RFC 9728): where a client gets a token
 * for this server. They exist only where an authorization server is configured.
 */
import type { HonoRequest } from "hono";
import { respondJson } from "./respond.ts";

const METADATA_PATH = "/.well-known/oauth-protected-resource";
const MCP_PATH = "/mcp";

/** Addresses of the metadata: of the whole server, and of its MCP endpoint. */
export const METADATA_PATHS: readonly string[] = [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`];

/** Address of the metadata that belongs to what was asked for. */
export function metadataAddress({ url, path }: Pick<HonoRequest, "url" | "path">): string {
  return `${new URL(url).origin}${METADATA_PATH}${path.endsWith(MCP_PATH) || path === "/sse" ? MCP_PATH : ""}`;
}

/** The metadata, or undefined where there is no authorization server. */
export function answerMetadata(request: Request, servers: readonly string[]): Response | undefined {
  if (servers.length === 0) return undefined;
  const { origin, pathname } = new URL(request.url);
  return respondJson({
    resource: `${origin}${pathname.slice(METADATA_PATH.length)}`,
    authorization_servers: servers,
    bearer_methods_supported: ["header"],
  });
}
