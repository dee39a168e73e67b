/**
 * How secrets look. Where an issuer gives its tokens a mark of their own, the mark and the length say enough; the rest is told
 * by its name and by how random it is (`placeholders.ts`).
 *
 * To add one: a line in the table. `mark` is a literal that each match holds, as few texts do. Patterns are bounded, so
 * that they take time in proportion to the text. Formats are those that the issuers document. Pure.
 */

/** A kind of secret. */
export interface SecretPattern {
  readonly name: string;
  /** Expression for what each match begins with or holds; the marks of all patterns are looked for at once. */
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

/** All kinds. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
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
    "sk-(?!ant-)",
    "(?:[A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100}|(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200})",
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
