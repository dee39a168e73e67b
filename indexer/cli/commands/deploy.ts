/**
 * Command `deploy`: the Worker of this folder's `wrangler.toml` goes to Cloudflare, with its bucket and its secret.
 */

import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { commandPrefix, DEFAULT_OUT } from "../../base/installation.ts";
import { formatBytes, toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { type DeploySummary, deployWorker, isBroken } from "../deploy/deploy.ts";
import { findWrangler, runWith } from "../deploy/run-wrangler.ts";
import { readWorkerConfig } from "../deploy/worker-config.ts";
import { readyAssets } from "../pages/pages.ts";
import { type Command, EXIT } from "../run-cli.ts";
export const deployCommand: Command = {
  name: "deploy",
  summary: "Bring the Worker to Cloudflare; make its bucket and its secret where they are missing.",
  positionals: [],
  options: {
    env: {
      kind: "text",
      short: "e",
      placeholder: "NAME",
      description: "Environment of the configuration: staging. Default: CLOUDFLARE_ENV.",
    },
    config: {
      kind: "text",
      short: "c",
      placeholder: "FILE",
      description: "Configuration of the Worker. Default: wrangler.toml of this folder.",
    },
    name: { kind: "text", placeholder: "NAME", description: "Name of the Worker, in place of the configuration's." },
    "dry-run": { kind: "flag", description: "Say what would be made, bundle the Worker, and change nothing." },
    json: { kind: "flag", description: "Print the summary as one JSON object." },
  },
  details:
    "It needs wrangler (npm install --save-dev wrangler), and `npx wrangler login` or CLOUDFLARE_API_TOKEN. Running it again deploys the code anew and keeps bucket and secret.",
  async run(input, terminal) {
    const folder = process.cwd();
    for (const option of ["env", "config", "name"]) {
      if (input.text(option) === "") throw new UsageError(`--${option} needs a value`);
    }
    const wrangler = findWrangler(folder);
    const config = readWorkerConfig(wrangler, {
      folder,
      config: input.text("config"),
      environment: input.text("env"),
      name: input.text("name"),
      variables: process.env,
    });
    for (const warning of config.warnings) terminal.warn(`Warning: ${toPrintable(warning)}`);
    await readyAssets();
    const summary = await deployWorker({
      config,
      dryRun: input.has("dry-run"),
      runnerWith: (variables) => runWith(wrangler, folder, variables),
      onStep: (text) => terminal.warn(toPrintable(text)),
      fetch,
      sleep,
    });
    if (input.has("json")) terminal.print(JSON.stringify(summary));
    else for (const line of describeDeployment(summary, commandPrefix)) terminal.print(toPrintable(line));
    return isBroken(summary) ? EXIT.failed : EXIT.done;
  },
};

/**
 * Lines for a person: what was made, where it answers, and what comes next.
 *
 * @param program How commands of Treeline are called here.
 */
export function describeDeployment(summary: DeploySummary, program: string): string[] {
  const { worker, bucket, bucketUrl, secret, bucketState, isNew, gzipBytes, urls, health } = summary;
  const size = gzipBytes === undefined ? "" : `, ${formatBytes(gzipBytes)} compressed`;
  if (summary.dryRun) {
    return [
      `${worker} would be ${isNew ? "made" : "deployed anew"}${size}; nothing was changed`,
      `  bucket ${bucket}: made where it is absent`,
      `  secret TREELINE_SECRET: ${secret === "made" ? "would be made" : "there, and stays"}`,
    ];
  }
  const lines = [
    `${worker} is deployed${size}`,
    `  bucket ${bucket}: ${bucketState === "made" ? "made" : "was there"}`,
    `  secret TREELINE_SECRET: ${secret === "made" ? "made" : "was there, and stays"}`,
  ];
  const [url] = urls;
  if (url === undefined) {
    lines.push("It has no address yet: add a route or a custom domain to the configuration, or workers_dev = true.");
  } else {
    lines.push(`  address  ${urls.join(", ")}`, `  MCP      ${url}/mcp`);
    if (health?.ok === true) lines.push("  health   ok");
    else {
      const hint = isBroken(summary)
        ? "`npx wrangler tail` shows its errors, `npx wrangler rollback` brings the version before back"
        : `a new address takes a minute. Ask ${url}/health later`;
      lines.push(`It does not answer yet (${health?.detail}): ${hint}.`);
    }
  }
  lines.push(
    "Next: build an index and publish it,",
    `  ${program} build --out ${DEFAULT_OUT}`,
    `  ${program} publish --index ${DEFAULT_OUT} --bucket ${bucketUrl}`,
  );
  if (url !== undefined) lines.push(`then see what it answers from:`, `  ${program} status ${url}`);
  return lines;
}
