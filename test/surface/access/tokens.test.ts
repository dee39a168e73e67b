import { base64url, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { createTokenVerifier, looksLikeToken } from "../../../src/surface/access/tokens.ts";
import { type AccessTeam, AUDIENCE, makeTeam } from "../../support/access-team.ts";

const ISSUER = "https://team.cloudflareaccess.com";
const SECONDS = 1_780_000_000;
const NOW = SECONDS * 1000;

let team: AccessTeam;
let other: AccessTeam;

/** A verifier of the team's tokens, with the address that lists its keys under a test's control. */
function makeVerifier(settings: { teamDomain?: string; audience?: string; collections?: string } = {}) {
  const state = { certs: team.certs() as unknown, status: 200, fetched: [] as string[], reported: [] as unknown[] };
  const verifier = createTokenVerifier(
    { teamDomain: "team.cloudflareaccess.com", audience: AUDIENCE, ...settings },
    async (request) => {
      state.fetched.push(request.url);
      const body = typeof state.certs === "string" ? state.certs : JSON.stringify(state.certs);
      return new Response(body, { status: state.status });
    },
  );
  const verify = (token: string, now: number): ReturnType<typeof verifier> =>
    verifier(token, now, (error) => state.reported.push(error));
  return { verify, state };
}

function encode(value: unknown): string {
  return base64url.encode(JSON.stringify(value));
}

/** A token with the parts of another put in place of its own. */
function forge(token: string, header: object, payload?: object): string {
  const [, body = "", signature = ""] = token.split(".");
  return [encode(header), payload === undefined ? body : encode(payload), signature].join(".");
}

describe("tokens of Cloudflare Access", () => {
  beforeAll(async () => {
    team = await makeTeam(ISSUER, { now: SECONDS });
    other = await makeTeam(ISSUER, { now: SECONDS });
  });

  it("are accepted from the team for the application, and see all collections", async () => {
    const { verify, state } = makeVerifier();
    expect(await verify(await team.sign(), NOW)).toEqual({
      name: "token:7335d417-61da-459d-899c-0a01c76a2f94",
      collections: "all",
      seesPublic: true,
      isAdmin: false,
    });
    expect(await verify(await team.sign({ sub: "", common_name: "bot\n.access" }), NOW)).toMatchObject({
      name: "token:bot?.access",
    });
    expect(state.fetched).toEqual([`${ISSUER}/cdn-cgi/access/certs`]);
  });

  it("are accepted with keys on a curve too", async () => {
    const curve = await makeTeam(ISSUER, { algorithm: "ES256", now: SECONDS });
    const { verify, state } = makeVerifier();
    state.certs = curve.certs();
    expect(await verify(await curve.sign(), NOW)).toMatchObject({ collections: "all" });
    expect(await verify(await team.sign(), NOW)).toBe("invalid");
  });

  it("see what their bearers may see, by address, domain, group and service", async () => {
    const collections = JSON.stringify({
      "*": ["guide"],
      "@Example.com": ["team"],
      "ada@example.com": ["v2/*"],
      "group:Board of 3": ["board", "team"],
      "service:bot": ["*"],
    });
    const seen = async (claims: object): Promise<unknown> => {
      const found = await makeVerifier({ collections }).verify(await team.sign({ type: "app", ...claims }), NOW);
      return typeof found === "string" ? found : found.collections;
    };
    expect(await seen({})).toEqual(["guide"]);
    expect(await seen({ email: "eve@example.com" })).toEqual(["guide", "team"]);
    expect(await seen({ email: "ADA@EXAMPLE.COM" })).toEqual(["guide", "v2/*", "team"]);
    expect(await seen({ email: "eve@evil.example", groups: ["board of 3"] })).toEqual(["guide", "board", "team"]);
    expect(await seen({ custom: { groups: "Board of 3" } })).toEqual(["guide", "board", "team"]);
    expect(await seen({ email: "x@notexample.com@other.org", groups: [7, "group:*"], custom: null })).toEqual([
      "guide",
    ]);
    expect(await seen({ common_name: "bot", sub: "" })).toEqual(["guide", "*"]);
  });

  it.each(["{", "[]", '{"ada": ["guide"]}', '{"*": "guide"}', '{"*": ["a/b/c"]}', "null"])(
    "open nothing where the setting is %s",
    (collections) => {
      expect(() => makeVerifier({ collections })).toThrow(/^ACCESS_COLLECTIONS .*; an example: \{/);
    },
  );

  it.each([
    ["for another application", () => team.sign({ aud: ["e".repeat(64)] }), "audience"],
    ["for no application", () => team.sign({ aud: [] }), "audience"],
    ["of another team", () => team.sign({ iss: "https://evil.cloudflareaccess.com" }), "issuer"],
    ["that are over", () => team.sign({ exp: SECONDS - 10 }), "expired"],
    ["without an end", () => team.sign({ exp: undefined as never }), "invalid"],
    ["that begin later", () => team.sign({ nbf: SECONDS + 60 }), "invalid"],
    ["given in the future", () => team.sign({ iat: SECONDS + 60 }), "invalid"],
    ["that never end", () => team.sign({ exp: 1e300 }), "invalid"],
    ["of another type", () => team.sign({ type: "org" }), "invalid"],
    ["signed by another's key of the same id", () => other.sign(), "invalid"],
    ["whose key id nobody has", () => team.sign({}, { kid: "key-2" }), "invalid"],
    ["without a key id", () => team.sign({}, { kid: undefined }), "invalid"],
    ["that bring their key along", () => other.sign({}, { jwk: other.publicJwk }), "invalid"],
    ["that say where their key is", () => other.sign({}, { jku: "https://evil.example/certs", kid: "x" }), "invalid"],
  ] as const)("are refused %s", async (_, sign, fault) => {
    const { verify, state } = makeVerifier();
    expect(await verify(await sign(), NOW)).toBe(fault);
    for (const address of state.fetched) expect(address).toBe(`${ISSUER}/cdn-cgi/access/certs`);
  });

  it("are refused without a signature, in every spelling of none", async () => {
    const token = await team.sign();
    for (const alg of ["none", "None", "NONE", "nOnE", "", undefined]) {
      const header = { alg, kid: "key-1" };
      const [head = "", body = ""] = forge(token, header).split(".");
      for (const forged of [`${head}.${body}.`, forge(token, header)]) {
        expect(await makeVerifier().verify(forged, NOW)).toBe("invalid");
      }
    }
  });

  it("are refused where the public key served as a shared secret", async () => {
    const { n, ...rest } = team.publicJwk;
    for (const secret of [JSON.stringify({ n, ...rest }), String(n), JSON.stringify(team.certs())]) {
      const forged = await new SignJWT({ iss: ISSUER, aud: [AUDIENCE], iat: SECONDS, exp: SECONDS + 60 })
        .setProtectedHeader({ alg: "HS256", kid: "key-1" })
        .sign(new TextEncoder().encode(secret));
      expect(await makeVerifier().verify(forged, NOW)).toBe("invalid");
    }
  });

  it("are refused with other claims or another algorithm than were signed", async () => {
    const { verify } = makeVerifier();
    const token = await team.sign();
    const header = { alg: "RS256", kid: "key-1" };
    const claims = { iss: ISSUER, aud: [AUDIENCE], sub: "admin", iat: SECONDS, exp: SECONDS + 9999 };
    expect(await verify(forge(token, header, claims), NOW)).toBe("invalid");
    for (const alg of ["RS512", "PS256", "ES256", "EdDSA", "RS1"]) {
      expect(await verify(forge(token, { alg, kid: "key-1" }), NOW)).toBe("invalid");
    }
    for (const damaged of [`${token}x`, token.slice(0, -1), token.replace(".", ".."), "a.b.c", `${token}.x`]) {
      expect(await verify(damaged, NOW)).toBe("invalid");
    }
  });

  it("are checked with keys that are read again after ten minutes, and at once for a new id, twice a minute at most", async () => {
    const { verify, state } = makeVerifier();
    const token = await team.sign({ exp: SECONDS + 100_000 });
    for (let now = NOW; now < NOW + 600_000; now += 20_000) await verify(token, now);
    expect(state.fetched).toHaveLength(1);
    await verify(token, NOW + 600_000);
    expect(state.fetched).toHaveLength(2);
    // The team has a new key.
    const next = await makeTeam(ISSUER, { keyId: "key-2", now: SECONDS });
    const later = NOW + 640_000;
    state.certs = next.certs();
    expect(await verify(await next.sign({ exp: SECONDS + 100_000 }), later)).toMatchObject({ collections: "all" });
    for (let at = 0; at < 20; at++) await verify(await next.sign({}, { kid: `made-up-${at}` }), later + at);
    expect(state.fetched).toHaveLength(3);
    // What the team no longer lists is no longer a key.
    expect(await verify(token, later)).toBe("invalid");
  });

  it("are accepted with the keys from before while the team's address does not answer, for an hour", async () => {
    const { verify, state } = makeVerifier();
    const token = await team.sign({ exp: SECONDS + 100_000 });
    await verify(token, NOW);
    state.status = 500;
    expect(state.reported).toEqual([]);
    expect(await verify(token, NOW + 3_000_000)).toMatchObject({ collections: "all" });
    expect(state.reported.map(String)).toEqual([expect.stringContaining("it answered with status 500")]);
    expect(await verify(token, NOW + 3_000_001)).toMatchObject({ collections: "all" });
    expect(state.reported).toHaveLength(1);
    await expect(verify(token, NOW + 3_600_000)).rejects.toThrow("cannot be read");
    expect(state.reported).toHaveLength(1);
  });

  it.each([
    ["an error", "", 500],
    ["a way elsewhere", "", 302],
    ["no JSON", "<html>", 200],
    ["no list", "{}", 200],
    ["a list without an end", `{"keys":[${"1,".repeat(100_000)}1]}`, 200],
  ])(
    "can neither be accepted nor refused where the team's address gives %s, and it is not asked each time",
    async (_, certs, status) => {
      const { verify, state } = makeVerifier();
      Object.assign(state, { certs, status });
      for (let at = 0; at < 5; at++)
        await expect(verify(await team.sign(), NOW + at)).rejects.toThrow("cannot be read");
      expect(state.fetched).toHaveLength(1);
    },
  );

  it("are not checked with keys of the list that are secret, for encryption, or of another kind", async () => {
    const [key] = team.certs().keys as [Record<string, unknown>];
    for (const changed of [
      { ...key, use: "enc" },
      { ...key, alg: "RS512" },
      { ...key, kty: "oct", k: "AAAA" },
      { ...key, kid: 5 },
      { ...key, n: "AQAB" },
      "key",
      null,
    ]) {
      const { verify, state } = makeVerifier();
      state.certs = { keys: [changed] };
      expect(await verify(await team.sign(), NOW)).toBe("invalid");
      // One that cannot be used does not spoil the rest.
      const again = makeVerifier();
      again.state.certs = { keys: [changed, key] };
      expect(await again.verify(await team.sign(), NOW)).toMatchObject({ collections: "all" });
    }
  });

  it.each([
    [{ teamDomain: "" }],
    [{ teamDomain: "http://team.cloudflareaccess.com" }],
    [{ teamDomain: "ftp://x" }],
    [{ teamDomain: "a b" }],
    [{ audience: "" }],
    [{ audience: " , " }],
  ])("are not accepted at all with the settings %j", (settings) => {
    expect(() => makeVerifier(settings)).toThrow("ACCESS_");
  });

  it.each(["", "a", "a.b", "a.b.c.d", "a.b .c", "a..c", "é.b.c", "a.b.c\n"])("are not %j", (text) => {
    expect(looksLikeToken(text)).toBe(false);
  });
});
