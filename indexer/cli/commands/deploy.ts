/**
 * Command `deploy`: the Worker of this folder's `wrangler.toml` goes to Cloudflare, with its bucket and its secret.
 */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { commandPrefix } from "../../base/installation.ts";
import { toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { type Command, EXIT } from "../command.ts";
import { deployWorker, isBroken } from "../deploy/deploy.ts";
import { describeDeployment } from "../deploy/describe-deployment.ts";
import { findWrangler } from "../deploy/find-wrangler.ts";
import { runWith } from "../deploy/run-wrangler.ts";
import { readWorkerConfig } from "../deploy/worker-config.ts";
import { readyAssets } from "../pages/read-page-files.ts";

/** The command. */
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
