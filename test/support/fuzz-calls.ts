/**
 * Calls of every tool, drawn from its own JSON schema: right ones, nearly right ones and nonsense. Each must end with an
 * answer, or with an error that says in words what is wrong: never with an exception, nothing that only a log explains, no
 * more tokens than a tool may give.
 *
 * They are made directly and through the endpoint in both eras of the protocol.
 */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { inflateRaw } from "../../indexer/base/codec.ts";
import { listDocumentNames } from "../../src/core/docs/catalogue.ts";
import { loadOutlines } from "../../src/core/docs/documents.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { answerMcp } from "../../src/mcp/endpoint.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { toListedTool } from "../../src/mcp/tool.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import type { schemaOf } from "../../src/surface/parameters.ts";
import type { RenderedAnswer } from "../../src/surface/render/render.ts";
import { estimateTokens } from "../../src/surface/render/text.ts";
import { createMemorySessions } from "../../src/worker/session/session-store.ts";
import { anyOperators } from "./any-query.ts";
import { createMemorySource } from "./memory-source.ts";

type ListedTool = ReturnType<typeof toListedTool>;
type ParameterSchema = ReturnType<typeof schemaOf>;

/** Most tokens of an answer that reads bodies, and room for its last lines. */
const MAX_TOKENS = 20_500;
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** What tools say when something went wrong that only a log explains. */
const INTERNAL = /inside Treeline|damaged or incomplete/;
/** JSON-RPC code of what went wrong inside of a server. */
const INTERNAL_ERROR = -32603;

/** Texts that arguments of all kinds are made of, beside names of the index. */
const WORDS: readonly string[] = [
  ...["", " ", "*", "#", "#n1", "#n999999999999", ":", "docs:", ":x", "a", "install", "Store", "Store.", "Store.find"],
  ...["formatLamp", "lamp*", "*Lamp", "src/", "src/store", "src/**/*.ts", "../../etc/passwd", "/etc/passwd", "C:\\x"],
  ...["file:///x", "https://example.org/", "10-40", "40-10", "0", "-1", "1e400", "NaN", "2026-01-01", "true", "null"],
  ...["(a+)+$", "(?=a)", "[", "a{1,9999999}", "\\p{L}+", "^", ".*", "(", "__proto__", "constructor", "toString"],
  ...["\u0000", "\u202e", "\ud800", "😀", "日本語", "ﷺ", "é", "e\u0301", "İ", "ß", "\u200b", "{}", "[]", '{"a":1}'],
];

/** Words that are in one index or the other. */
const KNOWN_WORDS: readonly string[] = [
  ...["install", "configure", "lamp", "store", "upgrade", "Store", "Store.find", "formatLamp", "Circle", "workshop"],
  ...["guides", "docs", "code", "guide", "shapes", "HTTP_PROXY", "apt update", "export", "class", "lamp OR store"],
];

/** Values of arguments that name neither documents nor sections. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  kind: ["function", "class", "method", "interface", "property"],
  category: ["shapes", "util", "docs", "store", "http", "guide"],
  concept: ["store", "lamp", "Store", "lantern", "proxy", "HTTP"],
  package: ["http", "shapes", "store", "src/tools", "util"],
  name: ["http", "shapes", "store", "Store", "formatLamp"],
  new_name: ["renamed", "Lager", "a-b", "class"],
  query: ["install", "lamp", "Store", "*", "format*", "store open", '"the lamp" -wire', "type:guide"],
};

/** An index to ask. */
export interface FuzzIndex {
  readonly services: ToolServices;
  /** Names of documents, sections, paths and collections, and a handle. */
  readonly names: readonly string[];
  /** What an operator was told, in words; nothing should be. */
  readonly told: string[];
}

/** Open an index given as names of files and their bytes in base64. */
export async function openFuzzIndex(base64Files: Readonly<Record<string, string>>): Promise<FuzzIndex> {
  const files = new Map(
    Object.entries(base64Files).map(([name, base64]) => [name, new Uint8Array(Buffer.from(base64, "base64"))]),
  );
  const source = createMemorySource(files);
  const index = await openIndex(files.get(POINTER_FILE) as Uint8Array, source, inflateRaw, new LruCache(1e7));
  const reader = new IndexReader(index);
  const documents = await listDocumentNames(reader);
  const outlines = await loadOutlines(
    reader,
    documents.map(({ id }) => id),
  );
  const told: string[] = [];
  const services: ToolServices = {
    withReader: async (run, counters) => ({ value: await run(new IndexReader(index, undefined, { counters })) }),
    sessions: createMemorySessions(async () => ({ DatabaseSync })),
    signingKeys: createSigningKeys("fuzz"),
    now: 0,
    report: (problem, where) => void told.push(`${where}: ${JSON.stringify(problem)}`),
  };
  const opened = await callTool(offeredTools(), "open_session", { format: "json" }, services);
  return {
    told,
    names: [
      String(opened.structuredContent?.session),
      ...new Set([
        ...documents.flatMap(({ id, path, collection }) => [id, path, collection]),
        ...outlines.flatMap((outline) => outline?.sections.map(({ nodeId }) => nodeId) ?? []),
      ]),
    ],
    services,
  };
}

/** A tool as it is listed, and the arguments without which a call of it says little. */
export interface FuzzedTool extends ListedTool {
  readonly usual: readonly string[];
}

/** Every tool. */
export const FUZZED_TOOLS: readonly FuzzedTool[] = offeredTools().tools.map((tool) => ({
  ...toListedTool(tool),
  usual: Object.keys(tool.example).filter((name) => tool.parameters[name]?.kind !== "filter"),
}));

/** Arguments for a tool: half of them as the schema says, the others off in one place or in all. */
export function anyArguments(tool: FuzzedTool, names: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const { properties, required = [] } = tool.inputSchema;
  const first = [...new Set([...required, ...tool.usual])];
  const drawn = (name: string): fc.Arbitrary<unknown> => anyValue(name, properties[name] as ParameterSchema, names);
  // Few of the optional ones at a time: each that is wrong for itself would hide what the others do. A cursor drawn by
  // chance is never right.
  const optional = Object.keys(properties).filter((name) => !first.includes(name) && name !== "cursor");
  const right = fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((chosen) => fc.record(Object.fromEntries([...first, ...chosen].map((name) => [name, drawn(name)]))))
    .map((args) => args as Record<string, unknown>);
  const keys = fc.constantFrom(...Object.keys(properties), "unknown", "q", "path", "__proto__", "");
  const nearly = fc.tuple(right, keys, fc.oneof(fc.jsonValue(), anyText(names))).map(([args, key, value]) => {
    const changed: Record<string, unknown> = { ...args };
    Object.defineProperty(changed, key, { value, enumerable: true, configurable: true, writable: true });
    return changed;
  });
  const lacking = fc.tuple(right, keys).map(([args, key]) => {
    const { [key]: _, ...rest } = args as Record<string, unknown>;
    return rest;
  });
  const camel = right.map((args) =>
    Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key.replace(/_(\w)/g, (_, c: string) => c.toUpperCase()), value]),
    ),
  );
  const nonsense = fc.dictionary(fc.oneof(keys, fc.string()), fc.jsonValue(), { maxKeys: 6 });
  return fc.oneof(
    { weight: 5, arbitrary: right },
    { weight: 3, arbitrary: nearly },
    { weight: 1, arbitrary: lacking },
    { weight: 1, arbitrary: camel },
    { weight: 1, arbitrary: nonsense },
  );
}

/** How a call ended: with an answer, an error of the tool, or one of the protocol. */
export type FuzzOutcome = "answered" | "refused" | "rejected";

/** Call a tool directly. @throws {Error} where the result is none that a caller may get. */
export async function fuzzDirectly(
  index: FuzzIndex,
  tool: FuzzedTool,
  args: Record<string, unknown>,
): Promise<FuzzOutcome> {
  index.told.length = 0;
  return checkResult(await callTool(offeredTools(), tool.name, args, index.services), index);
}

/** Call a tool through the endpoint, in one era. @throws {Error} as above. */
export async function fuzzEndpoint(
  index: FuzzIndex,
  tool: FuzzedTool,
  args: unknown,
  era: "modern" | "legacy",
): Promise<FuzzOutcome> {
  index.told.length = 0;
  const params = { name: tool.name, arguments: args, ...(era === "modern" && { _meta: META }) };
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    ...(era === "modern" && {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": tool.name,
    }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
  const response = await answerMcp(request, offeredTools(), index.services);
  const text = await response.text();
  const { result, error, id } = JSON.parse(text) as {
    result?: RenderedAnswer;
    error?: { code: number; message: string };
    id: unknown;
  };
  if (id !== 1) throw new Error(`an answer to another request: ${text.slice(0, 500)}`);
  if (error === undefined && result !== undefined) return checkResult(result, index);
  if (error === undefined || error.code === INTERNAL_ERROR || response.status >= 500) {
    throw new Error(`status ${response.status}: ${text.slice(0, 500)}`);
  }
  return "rejected";
}

function checkResult({ content, isError, structuredContent }: RenderedAnswer, { told }: FuzzIndex): FuzzOutcome {
  if (told.length > 0) throw new Error(`an operator was told: ${told.join("; ").slice(0, 2000)}`);
  const text = content.map((block) => block.text).join("\n");
  if (content.length === 0 || text === "") throw new Error("an answer without a text");
  if (isError === true && INTERNAL.test(text)) throw new Error(`an error that a caller cannot mend: ${text}`);
  const tokens = estimateTokens(text);
  if (tokens > MAX_TOKENS) throw new Error(`an answer of ${tokens} tokens`);
  if (structuredContent !== undefined && content[0]?.text !== JSON.stringify(structuredContent)) {
    throw new Error("structured content that differs from the text");
  }
  return isError === true ? "refused" : "answered";
}

function anyValue(name: string, schema: ParameterSchema, names: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "string":
      if (name === "lines")
        return fc.oneof({ weight: 5, arbitrary: anyLines() }, { weight: 1, arbitrary: anyText(names) });
      return fc.oneof({ weight: 3, arbitrary: anyName(name, names) }, { weight: 1, arbitrary: anyText(names) });
    case "integer":
      return fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 1, max: schema.maximum ?? 60 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
        { weight: 1, arbitrary: fc.integer() },
      );
    case "number":
      return fc.double({ min: 0, max: schema.maximum ?? 1, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array": {
      const items = schema.items?.enum;
      const item = items === undefined ? anyName(name, names) : fc.constantFrom(...items);
      return fc.oneof(
        { weight: 5, arbitrary: fc.array(item, { minLength: 1, maxLength: 4 }) },
        { weight: 1, arbitrary: fc.array(anyText(names), { maxLength: 12 }) },
      );
    }
    default:
      return anyObject(names);
  }
}

/** Form of the handle of a session. */
const HANDLE = /^[\w-]{44}$/;

/** A name of the index that an argument of this name likely takes. */
function anyName(argument: string, names: readonly string[]): fc.Arbitrary<string> {
  const isId = (name: string): boolean => name.includes(":");
  const fits: Readonly<Record<string, (name: string) => boolean>> = {
    doc_id: (name) => isId(name) && !name.includes("#"),
    node_id: (name) => name.includes("#"),
    node_ids: isId,
    file: (name) => /^code:[^#]+$/.test(name),
    collection: (name) => name === "docs" || name === "code",
    path: (name) => !isId(name),
    symbol: (name) => /^code:.*#/.test(name),
    target: (name) => name.startsWith("code:"),
    session: (name) => HANDLE.test(name),
    from: (name) => name.startsWith("code:"),
    to: (name) => name.startsWith("code:"),
  };
  const known = KNOWN_VALUES[argument];
  if (known !== undefined) return fc.constantFrom(...known);
  const fitting = names.filter(fits[argument] ?? (() => false));
  return fitting.length === 0 ? fc.constantFrom(...names, ...KNOWN_WORDS) : fc.constantFrom(...fitting);
}

function anyText(names: readonly string[]): fc.Arbitrary<string> {
  const word = fc.oneof(fc.constantFrom(...names), fc.constantFrom(...WORDS));
  return fc.oneof(
    { weight: 4, arbitrary: word },
    { weight: 2, arbitrary: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")) },
    { weight: 1, arbitrary: anyOperators },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
    {
      weight: 1,
      arbitrary: fc.tuple(word, fc.integer({ min: 1, max: 3000 })).map(([text, times]) => text.repeat(times)),
    },
  );
}

function anyLines(): fc.Arbitrary<string> {
  return fc.tuple(fc.integer({ min: -2, max: 300 }), fc.integer({ min: -2, max: 300 })).map(([a, b]) => `${a}-${b}`);
}

/** Filters, rankings, and what is neither. */
function anyObject(names: readonly string[]): fc.Arbitrary<unknown> {
  const keys = ["type", "tags", "collection", "language", "content_type", "not", "title_weight", "preset", "k1"];
  const right = fc.constantFrom(
    { content_type: "code" },
    { content_type: ["docs", "code"] },
    { collection: "docs", not: { type: "guide" } },
    { not: { collection: "docs" } },
    { title_weight: 4 },
    "api-reference",
  );
  const values = fc.oneof(
    fc.constantFrom("guide", "docs", "code", "typescript", "api-reference", 0, 1, -1, 1e308, true, null),
    fc.array(fc.constantFrom("guide", "docs", "x"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), fc.constantFrom("guide", "docs", 7), { maxKeys: 2 }),
    fc.jsonValue(),
  );
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...keys), values, { maxKeys: 4 }) },
    { weight: 1, arbitrary: anyText(names) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}
