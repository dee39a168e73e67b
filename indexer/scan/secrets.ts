/**
 * Secrets: keys, tokens and passwords that were written into a file and would be published with its index.
 *
 * Where an issuer gives its tokens a mark of their own, the mark and the length say enough; the rest is told by its name and by how
 * random it is. A finding says the kind of secret, its first four characters where these only tell the issuer, and its length: never
 * the secret. Placeholders of documentation are not reported.
 *
 * To add a kind: a line in the table. Patterns are bounded, so that they take time in proportion to the text. Formats are those that
 * the issuers document.
 */
import { isSampleFile } from "../../src/core/code/source-paths.ts";
import { mayHold } from "../parse/grams.ts";
import { needOf, type ScanFinding, type ScanKind } from "./scanned-text.ts";

interface SecretPattern {
  readonly name: string;
  /** Expression for what each match begins with or holds, which few texts do. In the syntax of `rg`, too. */
  readonly mark: string;
  /** The secret is group 1 where there is one, else the whole match. */
  readonly pattern: RegExp;
  /**
   * What tells it from a placeholder: `marked` tokens only need to be no example, `named` ones must look random, too.
   */
  readonly proof: "marked" | "named" | "key-block" | "address" | "jwt";
}

const END = "(?![A-Za-z0-9_-])";
const marked = (name: string, mark: string, rest: string): SecretPattern => ({
  name,
  mark,
  pattern: new RegExp(`(?<![A-Za-z0-9])${mark}${rest}${END}`, "g"),
  proof: "marked",
});

const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: "a private key",
    mark: "-----BEGIN",
    pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-(?!----)){0,8000})/g,
    proof: "key-block",
  },
  marked("an AWS access key id", "(?:AKIA|ASIA)", "[0-9A-Z]{16}"),
  marked("a GitHub token", "gh[pousr]_", "[A-Za-z0-9]{36,255}"),
  marked("a GitHub token", "github_pat_", "[A-Za-z0-9_]{59,255}"),
  marked("a GitLab token", "glpat-", "[A-Za-z0-9_-]{20,60}"),
  marked("a Slack token", "xox[abeoprs]-", "[A-Za-z0-9-]{20,250}"),
  marked(
    "a Slack webhook",
    String.raw`https:\/\/hooks\.slack\.com\/services\/`,
    String.raw`T[A-Z0-9]{7,12}\/B[A-Z0-9]{7,12}\/[A-Za-z0-9]{20,30}`,
  ),
  marked("a Stripe key", "[sr]k_live_", "[A-Za-z0-9]{16,250}"),
  marked("a Stripe webhook secret", "whsec_", "[A-Za-z0-9]{32,64}"),
  marked("an Anthropic key", "sk-ant-", "[a-z]{3,6}[0-9]{2}-[A-Za-z0-9_-]{60,120}"),
  marked(
    "an OpenAI key",
    "sk-",
    "(?!ant-)(?:[A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100}|(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200})",
  ),
  marked("a Google API key", "AIza", "[A-Za-z0-9_-]{35}"),
  marked("a Google client secret", "GOCSPX-", "[A-Za-z0-9_-]{28}"),
  marked("an npm token", "npm_", "[A-Za-z0-9]{36}"),
  marked("a PyPI token", "pypi-AgE", "[A-Za-z0-9_-]{50,300}"),
  marked("a Cloudflare token", "cf(?:k|ut|at)_", "[A-Za-z0-9_-]{40,80}"),
  marked("a Cloudflare origin key", String.raw`v1\.0-`, "[0-9a-f]{24}-[0-9a-f]{100,160}"),
  marked("a SendGrid key", String.raw`SG\.`, String.raw`[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`),
  marked("a DigitalOcean token", "do[opr]_v1_", "[a-f0-9]{64}"),
  marked("a Hugging Face token", "hf_", "[A-Za-z0-9]{34}"),
  marked("a Shopify token", "shp(?:at|ca|pa|ss)_", "[a-fA-F0-9]{32}"),
  {
    name: "an Azure storage key",
    mark: "AccountKey=",
    pattern: /AccountKey=([A-Za-z0-9+/]{86}==)/g,
    proof: "marked",
  },
  {
    name: "a JSON Web Token",
    mark: "eyJ",
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}(?![A-Za-z0-9_-])/g,
    proof: "jwt",
  },
  {
    name: "a password in an address",
    mark: String.raw`:\/\/[^\s:@/'"<>\x60]{0,60}:[^\s@/]`,
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"<>`]{0,60}:([^\s@/'"<>`]{6,120})@([A-Za-z0-9.-]{1,100})/g,
    proof: "address",
  },
  {
    name: "a secret by its name",
    mark: String.raw`(?:assword|asswd|ASSWORD|ecret|ECRET|oken|OKEN|[kK]ey|KEY|redential)s?["'\x60]?\s{0,4}(?:=>|[:=])\s{0,4}["'\x60]?[A-Za-z0-9+/=_~.!@#$%^&*-]{16}`,
    pattern:
      /(?:passwd|password|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|encryption[_-]?key|signing[_-]?key|credential)s?["'`]?\s{0,4}(?:=>|[:=])\s{0,4}(?:["'`]([^"'`\s]{16,200})["'`]|([A-Za-z0-9+/=_~.!@#$%^&*-]{16,200})(?=\s|$))/gi,
    proof: "named",
  },
];

/** Words that no secret holds, but by a chance of less than one in a million. */
const WORDS =
  /example|sample|dummy|placeholder|your|change.?me|redacted|insert|replace|xxxx|\*{3}|\.{3}|…|0{6}|1{6}|123456|abcdef|fedcba|654321|lorem|foobar|deadbeef|fake|mock|secret|password|passwd|test.?(?:key|token|only)|<[^>]*>|\{\{|\$\{|\$\(|%[A-Z_]+%|__/i;

/** Distinct characters that a random token of twenty or more has at least. */
const LEAST_DISTINCT = 9;

/** Bits for each character: base64 of random bytes has above 4 from twenty characters on, words have about 3. */
const LEAST_ENTROPY = 3.6;

/** Hex has sixteen digits, so at most 4 bits. */
const LEAST_ENTROPY_OF_HEX = 3;

/** Share of a value that runs of letters are at most: of random letters and digits they are about half. */
const MOST_WORDS = 0.65;

const MARKS = SECRET_PATTERNS.map(({ mark }) => ({ need: needOf(mark), pattern: new RegExp(mark) }));
/** More matches of one pattern in a file are not looked at. */
const MAX_MATCHES = 1_000;
/** Characters that are shown of a token with an issuer's mark. */
const SHOWN = 4;
/** A key's text is longer; what is shorter, or has dots in place of most of it, is an example. */
const LEAST_KEY_TEXT = 100;

/** What a name says before `key` or `token` where everybody may know it: it stands in pages that browsers load. */
const PUBLIC_NAME =
  /(?:public|publishable|anon|site|client|measurement|tracking|analytics|recaptcha|algolia|docsearch|posthog|mapbox|maps|firebase)[\w.-]{0,20}$/i;
const LONGEST_NAME = 40;
const SAMPLE_SETTING = /^[A-Z][A-Z0-9_]*=["']?(?:value|your|<|x{3}|change|example|placeholder|\.{3}|…)/im;
const NEAR = 200;
const isAmongSamples = (text: string, at: number): boolean =>
  SAMPLE_SETTING.test(text.slice(Math.max(0, at - NEAR), at + NEAR));

export const secrets: ScanKind = {
  rule: "secret",
  find({ original, language, path, grams }) {
    const isSample = isSampleFile(path);
    const isPage = language === undefined;
    const findings: ScanFinding[] = [];
    let last = -1;
    const found = SECRET_PATTERNS.flatMap((pattern, at) => {
      const { need, pattern: mark } = MARKS[at] as (typeof MARKS)[number];
      if ((grams !== undefined && !mayHold(grams, need)) || !mark.test(original)) return [];
      return matchesOf(pattern, original, severityOf(pattern, isSample, isPage), isPage);
    });
    // One place is one secret: the first pattern of the table that knows it names it.
    for (const { start, end, finding } of found.sort((a, b) => a.start - b.start || a.order - b.order)) {
      if (start < last) continue;
      last = end;
      findings.push(finding);
    }
    return findings;
  },
};

interface Match {
  readonly start: number;
  readonly end: number;
  readonly order: number;
  readonly finding: ScanFinding;
}

function matchesOf(pattern: SecretPattern, text: string, severity: ScanFinding["severity"], isPage: boolean): Match[] {
  const matches: Match[] = [];
  let looked = 0;
  for (const match of text.matchAll(pattern.pattern)) {
    if (++looked > MAX_MATCHES) break;
    const [whole, quoted, bare] = match;
    const token = pattern.proof === "named" ? (quoted ?? bare ?? "") : (quoted ?? whole);
    if (!isSecret(pattern, token, match, isPage)) continue;
    if (pattern.proof === "named" && (isPublic(text, match) || (isPage && isAmongSamples(text, match.index)))) continue;
    const start = pattern.proof === "key-block" ? match.index : match.index + whole.lastIndexOf(token);
    matches.push({
      start,
      end: start + token.length,
      order: SECRET_PATTERNS.indexOf(pattern),
      finding: { offset: start, rule: "secret", severity, message: describe(pattern, token) },
    });
  }
  return matches;
}

/** Whether the name of a key says that it is for everybody. A secret is one whatever else its name says. */
function isPublic(text: string, { 0: named, index = 0 }: RegExpMatchArray): boolean {
  return (
    /^(?:api[_-]?key|access[_-]?key|token)/i.test(named) &&
    PUBLIC_NAME.test(text.slice(Math.max(0, index - LONGEST_NAME), index))
  );
}

function isSecret({ proof }: SecretPattern, token: string, match: RegExpMatchArray, isPage: boolean): boolean {
  switch (proof) {
    case "marked":
      return !isExample(token);
    case "named":
      return looksRandom(token) && !(holdsAlgorithm(token) && isSampleJwt(token, isPage));
    case "key-block": {
      const key = token.replace(/\\[nr]|[\s"'+,>|*#/]/g, "");
      return (
        /^(?:Proc-Type:|Version:|Comment:)?[A-Za-z0-9=:,-]*$/.test(key) &&
        key.length >= LEAST_KEY_TEXT &&
        !(new Set(key).size < 20 || /x{8}|\.{3}|0{12}|A{24}/.test(key))
      );
    }
    case "jwt":
      return !isSampleJwt(token, isPage);
    case "address":
      return isPassword(token) && isForeignHost(match[2] ?? "");
  }
}

/** Whether a token begins with the head of a JSON Web Token, as manuals show it alone. */
function holdsAlgorithm(token: string): boolean {
  return /^eyJ/.test(token) && /"alg"/.test(Buffer.from(token.split(".")[0] as string, "base64url").toString("utf8"));
}

/** Tokens of tutorials are for nobody: the well-known one of the standard's site, or people without a name. On pages, no issuer too. */
function isSampleJwt(token: string, isPage: boolean): boolean {
  const [, payload = "", signature = ""] = token.split(".");
  const claims = Buffer.from(payload, "base64url").toString("utf8");
  // Whole words: real claims have "latest" and "footer" in them.
  const isSample = /1234567890|john ?doe|jane ?doe|(?<![a-z])(?:example|test|demo|foo)(?![a-z])/i.test(claims);
  const isIssued = !isPage || /"(?:iat|exp|nbf|iss|jti)"/.test(claims);
  return isSample || !isIssued || new Set(signature).size < 10;
}

/** Passwords that every manual has, and what stands for one. */
function isPassword(text: string): boolean {
  if (/^[$%{[(:*]|\$\{|\{\{|%[A-Z_]+%|\.\.\.|…/.test(text)) return false;
  if (isExampleWord(text)) return false;
  return /\d/.test(text) && /[a-z]/i.test(text) && new Set(text).size >= 6;
}

function isExampleWord(text: string): boolean {
  return /pass|secret|pwd|user|admin|root|guest|token|key|example|sample|test|dev|demo|local|change|your|my[-_]|foo|bar|abc|123|xxx|postgres|mysql|mongo|redis|docker|hunter2|letmein|qwerty/i.test(
    text,
  );
}

/** Whether a host is one that others could reach: no machine of one's own, container or example. */
function isForeignHost(host: string): boolean {
  return (
    host.includes(".") &&
    !/^(?:127\.|10\.|192\.168\.|0\.0\.0\.0)/.test(host) &&
    !/(?:^|\.)(?:example|test|invalid|localhost|local|internal)(?:\.(?:com|org|net))?$/i.test(host) &&
    !/^(?:host|hostname|server|your|my)\b/i.test(host)
  );
}

/**
 * What an issuer marks as its own is one; by name or form it only looks like one, and on a page, or in a test, it mostly is an
 * example.
 */
function severityOf({ proof }: SecretPattern, isSample: boolean, isPage: boolean): ScanFinding["severity"] {
  if (proof === "marked" || proof === "key-block") return isSample ? "warning" : "error";
  return isSample || (isPage && proof !== "address") ? "info" : "warning";
}

function describe({ name, proof }: SecretPattern, token: string): string {
  const start = proof === "marked" ? `${token.slice(0, SHOWN)}…, ` : "";
  const size = proof === "key-block" ? "" : ` (${start}${token.length} characters)`;
  return `${name}${size}: if it is real, revoke it, because anyone who reads the index can use it; if it is an example, allow it in the configuration`;
}

/** Whether a token is an example: it says so, or repeats a few characters. */
function isExample(token: string): boolean {
  return WORDS.test(token) || new Set(token).size < Math.min(LEAST_DISTINCT, token.length / 2);
}

/** Whether a value looks random: letters and digits mixed, and no words, path, address, expression or example. */
function looksRandom(value: string): boolean {
  if (isExample(value) || !/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  // Names in code, paths, addresses, versions, dates, numbers with units.
  if (/^[$@./~#%]|:\/\/|^[a-z]+(?:[.:/][\w-]+)+$|[()[\]{}<>\\]/i.test(value)) return false;
  if (/^[\da-f]+$/i.test(value)) return value.length >= 32 && entropyOf(value) >= LEAST_ENTROPY_OF_HEX;
  // UUIDs name things far oftener than they keep them secret.
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g)?.join("").length ?? 0;
  return words < value.length * MOST_WORDS && entropyOf(value) >= LEAST_ENTROPY;
}

/** Bits of information for each character, by how often each occurs (Shannon 1948). */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
