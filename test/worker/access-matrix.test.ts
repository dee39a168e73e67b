/**
 * Every tool and every route, asked with every credential: nobody gets a word of a collection that they may not see.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GROUPED } from "../support/grouped-files.ts";
import { callsAbout } from "../support/tool-calls.ts";
import { KEYS, publishGroups } from "./access-files.ts";
import { askAs, callAs } from "./ask-as.ts";
import {
  BAD,
  bearer,
  type Credential,
  GOOD,
  groupsSeen,
  NONE,
  PRIVATE,
  PUBLIC,
  prepareCredentials,
  signToken,
} from "./credentials.ts";
import { expectNothingHidden } from "./nothing-hidden.ts";
import { textsIn, withoutEcho } from "./without-echo.ts";

/** Addresses of what a collection holds. */
function pathsAbout(name: string, word: string): readonly string[] {
  const low = word.toLowerCase();
  return [
    `/search?q=install+${low}`,
    "/search?q=common+section&explain=true&limit=50",
    `/search?q=${low.slice(0, -1)}&typing=true`,
    `/search?q=install&collection=${name}`,
    `/search?q=install&f.type=${low}-guide`,
    `/search?q=install&f.${low}Team=x`,
    `/suggest?q=${low.slice(0, 3)}`,
    "/suggest?q=set",
    `/suggest?q=use&collection=${name}`,
    `/documents/${name}:guide/${low}-setup.md`,
    `/documents/guide/${low}-setup.md`,
    `/documents/${name}-code:src/${low}.ts?format=md`,
    `/documents/${name}:guide/${low}-setu.md`,
    `/tree/${name}:guide/${low}-setup.md`,
    `/tree/${low}`,
    "/llms.txt",
    "/llms-full.txt?code=true",
    `/llms-full.txt?from=${name}:guide/${low}-setup.md`,
    `/guide/${low}-setup.md`,
    `/${name}/guide/${low}-setup.md`,
    "/summary",
    `/summary?collection=${name}`,
    "/status",
    "/health",
    "/nowhere",
  ];
}

describe.each([
  ["a public deployment", PUBLIC, [NONE, ...GOOD]],
  ["a private deployment", PRIVATE, GOOD],
] as const)("%s", (_, settings, credentials) => {
  beforeAll(prepareCredentials);
  afterAll(() => vi.unstubAllGlobals());

  const seenBy = (credential: Credential): readonly string[] => groupsSeen(settings, credential);

  // A few for the tools, whose calls are many; routes ask with each. First who sees all: what they leave in memory is
  // there for all others.
  const some = settings === PUBLIC ? [GOOD[4], NONE, GOOD[0], GOOD[2]] : [GOOD[1], GOOD[3]];
  it.each(some.filter((one) => one !== undefined))(
    "shows no tool's caller with $name a word of what they may not see",
    async (credential) => {
      const seen = seenBy(credential);
      for (const { name, word, access } of GROUPED) {
        const hidden = GROUPED.filter((other) => !seen.includes(other.access)).map((other) => other.word.toLowerCase());
        let met = 0;
        for (const { tool, args } of callsAbout(name, word)) {
          if ("format" in args) continue;
          const response = await callAs(settings, tool, args, credential.headers());
          expect(response.status).toBe(200);
          const text = await response.text();
          const rest = withoutEcho(text, [tool, ...textsIn(args)]);
          for (const one of hidden) expect(rest, `${tool} ${JSON.stringify(args)}: ${text}`).not.toContain(one);
          if (rest.includes(word.toLowerCase())) met++;
        }
        // Who may see it does, so that not seeing it says something.
        if (seen.includes(access)) expect(met).toBeGreaterThan(20);
      }
    },
  );

  it.each(credentials)("shows no route's caller with $name a word of what they may not see", async (credential) => {
    await expectNothingHidden(settings, credential, pathsAbout);
  });

  it.each(credentials)("confirms to a caller with $name no answer of somebody who sees more", async (credential) => {
    for (const path of ["/search?q=install", "/suggest?q=se", "/llms.txt", "/tree/plans:guide/quokka-setup.md"]) {
      const whole = await askAs(settings, path, { headers: bearer(KEYS.all) });
      expect(whole.status).toBe(200);
      expect(whole.headers.get("Cache-Control")).toBe("private, no-cache");
      expect(whole.headers.get("Vary")).toContain("Authorization, Cf-Access-Jwt-Assertion");
      const etag = whole.headers.get("ETag") ?? "";
      const again = await askAs(settings, path, { headers: { ...credential.headers(), "If-None-Match": etag } });
      expect(again.status === 304).toBe(seenBy(credential).length === 3);
    }
  });

  it.each(BAD)("refuses %s at every address, and takes it for no caller without one", async (_name, headers) => {
    for (const { name, word } of GROUPED.slice(0, 2)) {
      for (const path of pathsAbout(name, word).filter((path) => path !== "/health")) {
        for (const method of ["GET", "HEAD", "POST", "PUT"]) {
          const response = await askAs(settings, path, { method, headers: headers() });
          expect(response.status, `${method} ${path}`).toBe(401);
          expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
          expect(response.headers.get("Cache-Control")).toBe("no-store");
          expect((await response.text()).toLowerCase()).not.toContain(word.toLowerCase());
        }
      }
    }
    for (const path of ["/mcp", "/sse"]) {
      const response = await callAs(settings, "index_status", {}, headers(), path);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        jsonrpc: "2.0",
        error: { message: expect.stringContaining("key") as string },
      });
    }
  });
});

describe("a private deployment to nobody", () => {
  beforeAll(publishGroups);

  it.each(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "PROPFIND"])(
    "answers %s with 401 at every address",
    async (method) => {
      const odd = [
        "//health",
        "/health/",
        "/Health",
        "/health/../status",
        "/health%2f..%2fstatus",
        "/health;/status",
        "/%2e%2e/status",
        "/.well-known/oauth-protected-resource/../../status",
        "/",
        "/?access=public",
      ];
      for (const path of [...pathsAbout("plans", "Quokka"), "/mcp", "/sse", "/mcp?tools=all", ...odd]) {
        if (path === "/health") continue;
        const response = await askAs(PRIVATE, path, { method });
        expect(response.status, `${method} ${path}`).toBe(401);
        expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
        const text = (await response.text()).toLowerCase();
        for (const { word } of GROUPED) expect(text).not.toContain(word.toLowerCase());
        if (method !== "HEAD") expect(text).toContain("treeline keys add");
      }
    },
  );

  it("takes no key out of the address, a cookie or another header", async () => {
    const ways: readonly (readonly [string, Record<string, string>])[] = [
      [`/status?access_token=${KEYS.all}&key=${KEYS.all}&token=${KEYS.all}`, {}],
      ["/status", { Cookie: `CF_Authorization=${KEYS.all}` }],
      ["/status", { "X-Api-Key": KEYS.all, "Proxy-Authorization": `Bearer ${KEYS.all}` }],
      ["/status", { "X-Forwarded-Authorization": `Bearer ${KEYS.all}`, "X-Original-URL": "/health" }],
      ["/status", { "X-HTTP-Method-Override": "OPTIONS" }],
    ];
    for (const [path, headers] of ways) expect((await askAs(PRIVATE, path, { headers })).status).toBe(401);
  });

  it("says at /health that it runs, and not what it has", async () => {
    for (const headers of [{}, bearer(KEYS.unknown)]) {
      const response = await askAs(PRIVATE, "/health", { headers });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: "ok", index: "ready" });
    }
  });

  it.each(["privat", "Private", "1", "publik"])("is private too where ACCESS is %j", async (ACCESS) => {
    expect((await askAs({ ACCESS }, "/status")).status).toBe(401);
  });

  it("leads to the authorization server where there is one, and only there", async () => {
    const paths = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"];
    for (const path of paths) expect((await askAs(PRIVATE, path)).status).toBe(404);
    const settings = { ...PRIVATE, AUTHORIZATION_SERVERS: "https://login.example.org" };
    const [root, mcp] = await Promise.all(paths.map(async (path) => (await askAs(settings, path)).json()));
    const rest = { authorization_servers: ["https://login.example.org"], bearer_methods_supported: ["header"] };
    expect(root).toEqual({ resource: "https://docs.example.org", ...rest });
    expect(mcp).toEqual({ resource: "https://docs.example.org/mcp", ...rest });
    const refused = await callAs(settings, "index_status", {});
    expect(refused.headers.get("WWW-Authenticate")).toBe(
      `Bearer resource_metadata="https://docs.example.org${paths[1]}"`,
    );
    expect((await askAs(settings, "/status")).headers.get("WWW-Authenticate")).toBe(
      `Bearer resource_metadata="https://docs.example.org${paths[0]}"`,
    );
  });
});

describe("a deployment without Access", () => {
  it("takes no tokens, and does not look at what Access passes on", async () => {
    const token = await signToken();
    expect((await askAs({}, "/status", { headers: bearer(token) })).status).toBe(401);
    expect((await askAs({}, "/status", { headers: { "Cf-Access-Jwt-Assertion": token } })).status).toBe(200);
    expect(
      (await askAs({ ACCESS: "private" }, "/status", { headers: { "Cf-Access-Jwt-Assertion": token } })).status,
    ).toBe(401);
  });

  it("lets nobody in by a token where its audience is not set", async () => {
    const settings = { ACCESS_TEAM_DOMAIN: "team.cloudflareaccess.com" };
    const response = await askAs(settings, "/status", { headers: bearer(await signToken()) });
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("10");
  });
});
