/**
 * Documents by which clients and registries find this server and learn how to connect. They hold nothing of the index, so they are for
 * everybody. Each corpus with a name has its own, at its own address.
 *
 * - A server card (MCP extension "Server Card", SEP-2127) is beside the endpoint, `/mcp/server-card`, and where the first draft had it.
 * - An AI Catalog names the card, and in a public deployment those of all corpora, at the address of that standard and of its draft.
 * - `server.json` is what the MCP Registry takes of a remote server; its publisher proves to own the name.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { type AddressParameters, FORMAT_PARAMETER } from "../surface/parameters.ts";
import type { JsonObject } from "../surface/render/answer.ts";
import { type ConnectTarget, describeAccess, formatClientGuides, listClientGuides } from "../surface/render/connect.ts";
import { SERVER_NAME, SERVER_VERSION, serverTitle } from "../surface/render/text.ts";
import { METADATA_PATH } from "./addresses.ts";
import { JSON_TYPE, MARKDOWN_TYPE, prefers, respondJson, respondText } from "./respond.ts";

type DiscoveryDocument = "card" | "catalog" | "registry" | "connect";

/** Where each stands. The first address of each is the one that is told. */
export const DISCOVERY_PATHS: readonly (readonly [string, DiscoveryDocument])[] = [
  ["/mcp/server-card", "card"],
  ["/.well-known/mcp/server-card.json", "card"],
  ["/.well-known/ai-catalog.json", "catalog"],
  ["/.well-known/mcp/catalog.json", "catalog"],
  ["/server.json", "registry"],
  ["/connect", "connect"],
];

const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
const CARD_TYPE = "application/mcp-server-card+json";
const CATALOG_TYPE = "application/ai-catalog+json";

/** Registries take 100 characters. */
const DESCRIPTION = "Search and read one project's documentation and source code, with file, lines and commit.";
/** The revision without a handshake; those before it are the package's list. A test holds both against what is spoken. */
const MODERN_VERSION = "2026-07-28";
/** They change with a deployment, and nobody is harmed by an hour. */
const CACHED = "public, max-age=3600";
/** What names corpora changes with each that is published. */
const CACHED_SHORTLY = "public, max-age=300";
/** What could not be looked up as a whole is asked again. */
const UNCACHED = "no-store";

export const CONNECT_PARAMETERS = {
  format: FORMAT_PARAMETER,
} as const satisfies AddressParameters;

/**
 * The answer to a GET of such a document.
 *
 * @param targets What the document is about: a corpus, and further ones of the deployment that a catalog names.
 * @param isWhole Whether these are all that it should name.
 */
export function answerDiscovery(
  request: Request,
  document: DiscoveryDocument,
  targets: readonly [ConnectTarget, ...ConnectTarget[]],
  isWhole = true,
): Response {
  const { type, text } = write(document, targets, request);
  const headers = {
    "Cache-Control": isWhole ? (document === "catalog" ? CACHED_SHORTLY : CACHED) : UNCACHED,
    ...(document === "connect" && { Vary: "Accept" }),
  };
  return respondText(request, text, type, headers);
}

function write(
  document: DiscoveryDocument,
  targets: readonly [ConnectTarget, ...ConnectTarget[]],
  request: Request,
): { readonly type: string; readonly text: string } {
  const [target] = targets;
  switch (document) {
    case "card":
      return { type: CARD_TYPE, text: JSON.stringify(makeServerCard(target)) };
    case "catalog":
      return { type: CATALOG_TYPE, text: JSON.stringify(makeCatalog(targets)) };
    case "registry":
      return { type: `${JSON_TYPE}; charset=utf-8`, text: JSON.stringify(makeRegistryFile(target), undefined, 2) };
    case "connect": {
      const type = prefers(request, [JSON_TYPE, MARKDOWN_TYPE]);
      const isMarkdown = type === MARKDOWN_TYPE;
      return {
        type: `${type}; charset=utf-8`,
        text: isMarkdown ? formatClientGuides(target) : JSON.stringify(describeConnect(target)),
      };
    }
  }
}

function makeServerCard(target: ConnectTarget): JsonObject {
  return {
    $schema: CARD_SCHEMA,
    ...describeServer(target),
    remotes: [
      { ...describeRemote(target), supportedProtocolVersions: [MODERN_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS] },
    ],
  };
}

function makeCatalog(targets: readonly ConnectTarget[]): JsonObject {
  return {
    specVersion: "1.0",
    entries: targets.map((target) => ({
      identifier: `urn:air:${plainHost(target.origin)}:mcp:${serverName(target)}`,
      type: CARD_TYPE,
      url: `${target.origin}/mcp/server-card`,
    })),
  };
}

function makeRegistryFile(target: ConnectTarget): JsonObject {
  return { $schema: REGISTRY_SCHEMA, ...describeServer(target), remotes: [describeRemote(target)] };
}

function describeConnect(target: ConnectTarget): JsonObject {
  return {
    url: `${target.origin}/mcp`,
    needsKey: target.needsKey,
    access: describeAccess(target),
    clients: listClientGuides(target),
  };
}

function describeServer(target: ConnectTarget): JsonObject {
  const { origin, corpus } = target;
  return {
    name: `${reverseHost(plainHost(origin))}/${serverName(target)}`,
    title: serverTitle(corpus ?? ""),
    description: DESCRIPTION,
    version: SERVER_VERSION,
    websiteUrl: `${origin}/connect`,
  };
}

function describeRemote({ origin, needsKey }: ConnectTarget): JsonObject {
  const header = {
    name: "Authorization",
    description: "A key that the maintainers of this server gave out.",
    isRequired: true,
    isSecret: true,
    value: "Bearer {key}",
    variables: { key: { description: "The key.", isRequired: true, isSecret: true } },
  };
  return { type: "streamable-http", url: `${origin}/mcp`, ...(needsKey && { headers: [header] }) };
}

/** Name of a server among those of its host: one for each corpus. */
function serverName({ corpus }: ConnectTarget): string {
  return corpus === undefined ? SERVER_NAME : `${SERVER_NAME}-${corpus}`;
}

/** Host of an origin in letters that names may have: an address of IPv6 is only ever this machine's. */
function plainHost(origin: string): string {
  const { hostname } = new URL(origin);
  return hostname.startsWith("[") ? "localhost" : hostname;
}

/** `com.example.docs` of `docs.example.com`, as names of servers begin; numbers of IPv4 stay in order. */
function reverseHost(host: string): string {
  return /^[\d.]+$/.test(host) ? host : host.split(".").reverse().join(".");
}

export const MCP_PATH = "/mcp";

/** Addresses of the metadata: of the whole server, and of its MCP endpoint. */
export const METADATA_PATHS: readonly string[] = [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`];

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
