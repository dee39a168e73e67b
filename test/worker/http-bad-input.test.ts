/** What no client should send to the routes for people and programs: each is answered, and nothing of it comes back raw. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { runs } from "../support/runs.ts";
import { KEYS, publishGroups } from "./access-files.ts";
import { askAs, type Settings } from "./ask-as.ts";

const PATHS = [
  "/search",
  "/suggest",
  "/documents/",
  "/tree/",
  "/llms.txt",
  "/llms-full.txt",
  "/openapi.json",
  "/guide/install.md",
  "/summary",
  "/status",
  "/insights",
  "/health",
  "/connect",
  "/session",
  "/mcp",
  "/sse",
  "/s/",
  "/.well-known/oauth-protected-resource",
  "/",
] as const;
const NAMES = [
  ...[
    "q",
    "query",
    "limit",
    "offset",
    "collection",
    "typing",
    "from",
    "bytes",
    "code",
    "explain",
    "facets",
    "format",
    "ranking",
    "correct",
  ],
  ...[
    "f.type",
    "f.",
    "f.__proto__",
    "f.collection",
    "not.tags",
    "__proto__",
    "constructor",
    "tools",
    "session",
    "cursor",
  ],
] as const;
/** What tends to break readers of text and numbers; escaped as addresses have it, or not even that. */
const HOSTILE = [
  ...[
    "%0d%0aX-Evil:%201",
    "%00",
    "%ff",
    "%",
    "%ED%A0%80",
    "%F0%9F%98",
    "%E2%80%AE",
    "..%2f..%2f",
    "%2e%2e/",
    "//",
    "\\",
  ],
  ...[
    "-1",
    "-0",
    "1e999",
    "NaN",
    "0x10",
    "99999999999999999999",
    "true",
    "null",
    "[]",
    "{}",
    "%22",
    "%22%22",
    "*",
    "a*b*c*",
  ],
  ...[
    "docs:guide/meadow-setup.md",
    "plans:guide/quokka-setup.md",
    "install",
    "type:meadow-guide",
    "-install",
    "(a+)+$",
  ],
  ...["a".repeat(3000), "%22the%20of%22%20".repeat(200), "&q=x".repeat(500)],
] as const;
const HEADERS = [
  ...[
    "Accept",
    "Authorization",
    "Cf-Access-Jwt-Assertion",
    "Content-Type",
    "DNT",
    "If-None-Match",
    "If-Modified-Since",
  ],
  ...["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Range", "Referer", "traceparent", "X-Forwarded-For"],
  ...["X-Forwarded-Host", "CF-Connecting-IP", "Content-Encoding", "Cookie", "X-HTTP-Method-Override"],
] as const;
const VALUES = [
  ...["", "*", "null", "x", "1, 1", "text/markdown", "application/json", "bytes=0-1", `Bearer ${KEYS.strategy}`],
  ...[
    "Bearer",
    "Bearer x",
    "Basic eDp4",
    `00-${"a".repeat(32)}-${"b".repeat(16)}-01-{"level":"error"}`,
    '"x",'.repeat(3000),
  ],
  ...[
    "a.b.c",
    "eyJhbGciOiJub25lIn0.e30.",
    "gzip",
    "2001:db8::1",
    "::ffff:1.2.3.4",
    "999.1.1.1",
    "2026-07-28",
    "tools/call",
  ],
] as const;
const METHODS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] as const;
const SETTINGS: readonly Settings[] = [{}, { ACCESS: "private" }];

const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "grapheme" }).map(encodeURIComponent));
const request = fc.record({
  settings: fc.constantFrom(...SETTINGS),
  method: fc.constantFrom(...METHODS),
  path: fc.constantFrom(...PATHS),
  rest: fc.oneof({ weight: 2, arbitrary: fc.constant("") }, hostile),
  parameters: fc.array(fc.tuple(fc.constantFrom(...NAMES), hostile), { maxLength: 4 }),
  headers: fc.dictionary(fc.constantFrom(...HEADERS), fc.constantFrom(...VALUES), { maxKeys: 3 }),
  body: fc.oneof(fc.constant(undefined), fc.string(), fc.json()),
});

describe("any request", () => {
  beforeAll(publishGroups);

  it("gets an answer that is no failure, with a trace of its own form and no header of the caller's", async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ settings, method, path, rest, parameters, headers, body }) => {
        const query = parameters.map(([name, value]) => `${name}=${value}`).join("&");
        const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
        const response = await askAs(settings, `${path}${rest}${query === "" ? "" : `?${query}`}`, {
          method,
          headers,
          ...(hasBody && { body }),
        });
        const text = await response.text();
        expect(response.status, text.slice(0, 300)).toBeLessThan(500);
        expect(response.headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
        expect(response.headers.get("X-Evil")).toBeNull();
        expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
        for (const never of ["\u202e", "\u0000", "\n    at ", "inside Treeline"]) expect(text).not.toContain(never);
        const isJson = response.headers.get("Content-Type")?.startsWith("application/json") === true;
        if (isJson && text !== "") JSON.parse(text);
        if (headers.Authorization === undefined) expect(withoutEcho(text)).not.toMatch(/quokka|wombat|numbat/i);
      }),
      { numRuns: runs(1500) },
    );
  });

  it("to a private server without a credential learns nothing of what it has", async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, rest, parameters }) => {
        const query = parameters.map(([name, value]) => `${name}=${value}`).join("&");
        const response = await askAs({ ACCESS: "private" }, `${path}${rest}?${query}`, { method });
        expect(withoutEcho(await response.text())).not.toMatch(/meadow|quokka|wombat|numbat|"documents":\d/i);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** An answer without what was asked, which refusals may name. */
function withoutEcho(text: string): string {
  return text
    .replaceAll("plans:guide/quokka-setup.md", "")
    .replaceAll(/(docs:guide\/|type:)meadow-(setup\.md|guide)/g, "");
}
