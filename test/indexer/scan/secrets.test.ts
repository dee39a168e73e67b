import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { scanDocument } from "../../../indexer/scan/scan-document.ts";

/** Characters that look random and are the same in each run. They are put together here, so that no scanner finds them. */
function random(length: number, seed = "a", alphabet: "base64url" | "hex" | "alphanumeric" = "alphanumeric"): string {
  let text = "";
  for (let round = 0; text.length < length; round++) {
    const digest = createHash("sha512").update(`${seed}${round}`);
    text += alphabet === "hex" ? digest.digest("hex") : digest.digest("base64url");
    if (alphabet === "alphanumeric") text = text.replace(/[-_]/g, "");
  }
  return text.slice(0, length);
}

const KEY = random(1_000, "key").replace(/(.{64})/g, "$1\n");
const pem = (key: string, kind = "RSA "): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${key}\n-----END ${kind}PRIVATE KEY-----`;
const jwt = (claims: object): string => {
  const parts = [{ alg: "HS256", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return [...parts, random(43, "jwt", "base64url")].join(".");
};

function scan(text: string, path = "page.md") {
  return scanDocument({ path, text }).filter(({ code }) => code === "secret");
}

describe("secrets", () => {
  it("of one test are one note, and those of the product each its own", () => {
    const tokens = Array.from({ length: 41 }, (_, at) => `it(() => use("${jwt({ sub: `u-${at * 7919}` })}"));`).join(
      "\n",
    );
    const [note, ...others] = scan(tokens, "src/jwt.test.ts");
    expect(others).toEqual([]);
    expect(note).toMatchObject({ severity: "info", line: 1 });
    expect(note?.message).toContain("; 40 more in this file");
    expect(scan(tokens, "src/jwt.ts")).toHaveLength(20);
  });

  it.each([
    ["a private key", pem(KEY)],
    ["a private key", JSON.stringify({ key: pem(KEY, "") })],
    ["an AWS access key id", `AKIA${random(16).toUpperCase()}`],
    ["a GitHub token", `ghp_${random(36)}`],
    ["a GitHub token", `github_pat_${random(82)}`],
    ["a Slack token", `xoxb-${random(12, "s")}-${random(24)}`],
    [
      "a Slack webhook",
      `https://hooks.slack.com/services/T${random(9).toUpperCase()}/B${random(9, "b").toUpperCase()}/${random(24)}`,
    ],
    ["a Stripe key", `sk_live_${random(24)}`],
    ["an Anthropic key", `sk-ant-api03-${random(93, "a", "base64url")}AA`],
    ["an OpenAI key", `sk-proj-${random(60, "o")}T3BlbkFJ${random(60, "p")}`],
    ["a Google API key", `AIza${random(35)}`],
    ["an npm token", `npm_${random(36)}`],
    ["a Cloudflare token", `cfut_${random(40)}`],
  ])("with a mark of their own are errors: %s", (name, token) => {
    const [finding, ...others] = scan(`Some text\nvalue: ${token} and more`);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", tool: "scan", line: 2 });
    expect(finding?.message).toContain(name);
  });

  it.each([
    ["a password in an address", `postgres://app:${random(14, "pg")}7@db.shop-data.io:5432/app`],
    ["a secret by its name", `const apiKey = "${random(32, "k")}";`],
    ["a secret by its name", `CLOUDFLARE_API_TOKEN=${random(40, "cf")}\n`],
    ["a secret by its name", `client_secret: '${random(40, "h", "hex")}'`],
    ["a JSON Web Token", jwt({ sub: "u-77231", iss: "https://login.shop-data.io" })],
  ])("that only look like one are warnings: %s", (name, text) => {
    const severityIn = (path: string): string => {
      const found = scan(text, path);
      expect(found).toHaveLength(1);
      expect(found[0]?.message).toContain(name);
      expect(found[0]?.message).toContain("if it is real, revoke it");
      return found[0]?.severity ?? "";
    };
    const onPage = name === "a password in an address" ? "warning" : "info";
    expect(["src/config.ts", "docs/setup.md", "tests/config.ts", "src/config.test.ts"].map(severityIn)).toEqual([
      "warning",
      onPage,
      "info",
      "info",
    ]);
  });

  it("of issuers are warnings in tests and examples", () => {
    for (const path of ["test/fixtures/key.pem", "examples/app/keys.ts", "pkg/testdata/a.json"]) {
      expect(scan(pem(KEY), path)).toMatchObject([{ severity: "warning" }]);
      expect(scan(`npm_${random(36)}`, path)).toMatchObject([{ severity: "warning" }]);
    }
  });

  it.each(["NEXT_PUBLIC_API_KEY", "algolia.apiKey", "posthogToken", "siteKey", "client_token", "mapboxAccessKey"])(
    "are not what pages show to everybody: %s",
    (name) => {
      expect(scan(`${name} = "${random(32, "k")}"`, "a.ts")).toEqual([]);
    },
  );

  it.each([
    "AKIAIOSFODNN7EXAMPLE",
    'aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"',
    `ghp_${"x".repeat(36)}`,
    "ghp_1234567890abcdefghijklmnopqrstuvwxyz12",
    "sk_live_your_key_here_0000000000",
    "sk-ant-api03-...",
    "OPENAI_API_KEY=sk-your-api-key-goes-here",
    'apiKey: "<your-api-key-goes-here>"',
    'password = "correct horse battery"',
    `PASSWORD=$${"{DB_PASSWORD_FROM_ENVIRONMENT}"}`,
    "const token = process.env.GITHUB_TOKEN_FOR_RELEASES;",
    'const secret = "AUTH_SECRET_2_ENVIRONMENT_NAME";',
    'accessKey: "settings.security.accessKey2"',
    "postgres://user:password@localhost:5432/db",
    "postgres://postgres:hunter2pass@db.example.com/app",
    `redis://default:$${"{REDIS_PASSWORD}"}@redis.cloud.io:6379`,
    "http://localhost:3000/@scope:v1/a@b",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA…\n-----END RSA PRIVATE KEY-----",
    "key: 'components/navigation/header2'",
    "token: 0f8fad5b-d9cb-469f-a165-70867728950e",
    'integrity: "sha512-abc"',
  ])("are not seen in placeholders and names: %j", (text) => {
    expect(scan(text)).toEqual([]);
    expect(scan(text, "a.ts")).toEqual([]);
  });

  it("are not seen in the well-known token of tutorials", () => {
    expect(scan(jwt({ sub: "1234567890", name: "John Doe", iat: 1516239022 }))).toEqual([]);
    for (const sub of ["test", "demo-user", "me@example.com", "foo_1"]) expect(scan(jwt({ sub }))).toEqual([]);
  });

  it("are not seen in samples of documentation", () => {
    const sample = jwt({ sub: "user-7", role: "admin" });
    expect(scan(`const token = "${sample}"`, "docs/jwt.md")).toEqual([]);
    expect(scan(sample, "src/jwt.ts")).toHaveLength(1);
    const head = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");
    for (const path of ["docs/env.md", "src/env.ts"]) expect(scan(`API_TOKEN=${head}\n`, path)).toEqual([]);
    const real = `API_TOKEN=${random(40, "cf")}\n`;
    expect(scan(`SECRET_KEY=value\n${real}`, "docs/env.md")).toEqual([]);
    expect(scan(`DEBUG=true\n${real}`, "docs/env.md")).toHaveLength(1);
    expect(scan(`SECRET_KEY=value\n${real}`, "src/env.ts")).toHaveLength(1);
  });

  it("are seen in tokens whose claims have words of tutorials inside of other words", () => {
    for (const sub of ["latest", "footer", "contest-7", "democracy", "attestation"]) {
      expect(scan(jwt({ sub, iss: "https://login.shop-data.io" }))).toHaveLength(1);
    }
  });

  it("never stand in findings: four characters of the mark at most, and the length", () => {
    const tokens = [`ghp_${random(36)}`, `sk_live_${random(24)}`, random(32, "named"), KEY];
    const text = `${tokens[0]} ${tokens[1]} secret = "${tokens[2]}"\n${pem(KEY)}`;
    const found = scanDocument({ path: "a.md", text });
    expect(found).toHaveLength(4);
    for (const { message } of found) {
      for (const token of tokens) {
        for (let at = 0; at + 5 <= token.length; at++) expect(message).not.toContain(token.slice(at, at + 5));
      }
    }
    expect(found[0]?.message).toContain("(ghp_…, 40 characters)");
  });

  it("are found by line and column behind a byte order mark and in frontmatter", () => {
    expect(scan(`\ufeff---\r\nkey: ghp_${random(36)}\r\n---\r\n`)).toMatchObject([{ line: 2, column: 6 }]);
  });
});
