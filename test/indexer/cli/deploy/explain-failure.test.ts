/** What somebody reads when wrangler refuses. Its words are those of wrangler 4.155 and of Cloudflare's API. */
import { describe, expect, it } from "vitest";
import { explainFailure } from "../../../../indexer/cli/commands/deploy.ts";

const CASES: readonly (readonly [string, string, RegExp])[] = [
  [
    "no login",
    "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
    /wrangler login/,
  ],
  ["no R2", "Please enable R2 through the Cloudflare Dashboard. [code: 10042]", /no R2 subscription/],
  ["cpu_ms on the free plan", "CPU limits are not supported for the Free plan. [code: 100328]", /cpu_ms/],
  ["several accounts", "More than one account available but unable to select one", /CLOUDFLARE_ACCOUNT_ID/],
  [
    "no subdomain",
    "You can either deploy your worker to one or more routes, or register a workers.dev subdomain here:",
    /no workers\.dev subdomain/,
  ],
  ["not allowed", "Authentication error [code: 10000]", /Workers Scripts: Edit/],
  ["no bucket", "R2 bucket 'treeline-index' not found [code: 10085]", /wrangler r2 bucket create/],
  [
    "no entry",
    'The entry-point file at "node_modules/treeline/dist/worker.js" was not found.',
    /npm install --save-dev treeline/,
  ],
  ["no network", "fetch failed: getaddrinfo ENOTFOUND api.cloudflare.com", /network/],
];

describe("a failure of wrangler", () => {
  it.each(CASES)("says what to do: %s", (_, text, advice) => {
    const { message } = explainFailure("Deploying", `Total Upload: 1 KiB\n\nX [ERROR] ${text}\n\n`);
    expect(message).toMatch(/^Deploying failed\./);
    expect(message.split("wrangler said:")[0]).toMatch(advice);
    expect(message).toContain(text);
    expect(message).not.toContain("Total Upload");
  });

  it("is passed on where it is not known", () => {
    const { message } = explainFailure("Deploying", "X [ERROR] Something new [code: 1]\n");
    expect(message).toBe("Deploying failed.\nwrangler said:\n  X [ERROR] Something new [code: 1]");
  });

  it("is told without colours, places in the code and what follows it", () => {
    const colored = "\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mIt failed.\u001b[0m";
    const output = `${colored}\n\n    at async main (cli.js:1:2)\n  Why [code: 1]\n\n🪵  Logs were written to "/x"\n`;
    const { message } = explainFailure("Deploying", output);
    expect(message).toBe("Deploying failed.\nwrangler said:\n  ✘ [ERROR] It failed.\n    Why [code: 1]");
  });

  it("keeps a terminal safe and a message short", () => {
    const { message } = explainFailure("Deploying", `[ERROR] \u001b[2J\u0007\n${"line\n".repeat(100)}`);
    for (const control of ["\u0007", "\u001b"]) expect(message).not.toContain(control);
    expect(message.split("\n").length).toBeLessThan(20);
  });
});
