/**
 * What to do when wrangler refuses: the errors that a first deployment meets, with the step that mends each.
 */
import { stripVTControlCharacters } from "node:util";
import { InputError } from "../../../src/core/errors.ts";
import { toPrintable } from "../../base/printable.ts";

/** What a token has to be allowed, as the dashboard names it. */
const TOKEN_PERMISSIONS = "Workers Scripts: Edit and Workers R2 Storage: Edit";

/** How somebody logs in. */
export const LOGIN_HINT = `run \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN to a token of the account with ${TOKEN_PERMISSIONS}`;

/** Lines of wrangler's output that a message keeps. */
const KEPT_LINES = 12;

/** Places in wrangler's own code. */
const NOISE = /^\s+at /;
/** What wrangler adds behind an error: who is logged in, where it wrote a log that is gone by now, how to report. */
const APPENDIX = /^\s*📎|^Getting User settings|Logs were written to|^If you think this is a bug/u;

interface Advice {
  readonly sign: RegExp;
  readonly advice: string;
}

/** In order: the first that fits is told. Codes are those of Cloudflare's API, which wrangler prints as `[code: N]`. */
const ADVICE: readonly Advice[] = [
  {
    sign: /not authenticated|necessary to set a CLOUDFLARE_API_TOKEN|Failed to (fetch|refresh) auth token|\[code: 6111\]/i,
    advice: `Nobody is logged in: ${LOGIN_HINT}.`,
  },
  {
    sign: /More than one account/,
    advice: "Say which account: set CLOUDFLARE_ACCOUNT_ID, or add account_id to the configuration.",
  },
  {
    sign: /\[code: 10042\]|enable R2/i,
    advice: "The account has no R2 subscription yet: open R2 in the dashboard and add it (there is a free tier).",
  },
  {
    sign: /\[code: 100328\]|CPU limits? (are|is) not supported/i,
    advice: "The free plan takes no [limits] cpu_ms: remove it from the configuration, or change to Workers Paid.",
  },
  {
    sign: /register a workers\.dev subdomain|\[code: 10063\]/i,
    advice:
      "The account has no workers.dev subdomain yet: open Workers in the dashboard once to choose one, or give the Worker a route, then deploy again.",
  },
  {
    sign: /\[code: 10027\]|exceeded the size limit/i,
    advice: "The Worker is larger than the plan allows; deploy an unchanged configuration with minify = true.",
  },
  {
    sign: /\[code: 10034\]/,
    advice: "Verify the e-mail address of the account first.",
  },
  {
    sign: /\[code: (10000|9109|9103|10001)\]|Authentication error|Unauthorized|permission/i,
    advice: `The credentials are not allowed to do this. The token needs ${TOKEN_PERMISSIONS}, for this account.`,
  },
  {
    sign: /\[code: (10006|10085)\]|bucket .*(does not exist|not found)/i,
    advice:
      "The bucket that the Worker had is gone: make it again with `npx wrangler r2 bucket create NAME`, then deploy.",
  },
  {
    sign: /entry-point file at "[^"]*" was not found/,
    advice:
      "`main` of the configuration names a file that is not there: install Treeline in its folder (`npm install --save-dev treeline`), or name the Worker's file.",
  },
  {
    sign: /fetch failed|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/,
    advice: "Cloudflare's API was not reached: look at the network of this machine, then deploy again.",
  },
];

/** The error to throw when wrangler failed at a step: what it said, and what to do where that is known. */
export function explainFailure(step: string, colored: string): InputError {
  const output = stripVTControlCharacters(colored);
  const known = ADVICE.find(({ sign }) => sign.test(output));
  const said = shorten(output);
  return new InputError(
    [
      `${step} failed.`,
      ...(known === undefined ? [] : [known.advice]),
      ...(said === "" ? [] : ["wrangler said:", said]),
    ].join("\n"),
  );
}

/** The lines from the first error on, without what wrangler adds; the last lines where none is marked. */
function shorten(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "" && !NOISE.test(line));
  const first = lines.findIndex((line) => line.includes("[ERROR]"));
  const said = first < 0 ? lines : lines.slice(first);
  const end = said.findIndex((line) => APPENDIX.test(line));
  const own = end < 0 ? said : said.slice(0, end);
  const kept = first < 0 ? own.slice(-KEPT_LINES) : own.slice(0, KEPT_LINES);
  return kept.map((line) => `  ${toPrintable(line)}`).join("\n");
}
