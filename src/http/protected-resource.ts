/**
 * Routes `/.well-known/oauth-protected-resource` and the same with `/mcp` behind it (RFC 9728), or with `/v2` and `/v2/mcp` for a
 * corpus: where a client gets a token for this server. They exist only where an authorization server is configured.
 */
import type { HonoRequest } from "hono";
import { corpusAddress } from "./addresses.ts";
import { respondJson } from "./respond.ts";

/** Address of the metadata of the whole server. */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";
const MCP_PATH = "/mcp";

/** Addresses of the metadata: of the whole server, and of its MCP endpoint. */
export const METADATA_PATHS: readonly string[] = [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`];

/** Address of the metadata that belongs to what was asked for. @param path Without the name of the corpus. */
export function metadataAddress({ url, path }: Pick<HonoRequest, "url" | "path">, corpus: string): string {
  return `${corpusAddress(`${new URL(url).origin}${METADATA_PATH}`, corpus)}${path.endsWith(MCP_PATH) || path === "/sse" ? MCP_PATH : ""}`;
}

/**
 * The metadata, or undefined where there is no authorization server.
 *
 * @param path Of the request, without the name of the corpus.
 * @param base Address of the corpus.
 */
export function answerMetadata(path: string, base: string, servers: readonly string[]): Response | undefined {
  if (servers.length === 0) return undefined;
  return respondJson({
    resource: `${base}${path.slice(METADATA_PATH.length)}`,
    authorization_servers: servers,
    bearer_methods_supported: ["header"],
  });
}
