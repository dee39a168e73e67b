/**
 * Texts of `treeline init`: the names by which its files refer to Treeline, the workflow, and the steps that come next.
 */

import { WRANGLER_TOML } from "../deploy/run-wrangler.ts";
import type { Part } from "./init-settings.ts";
import { dependenciesOf } from "./project-files.ts";
import type { Settings } from "./read-literals.ts";

/** The Action, at the major version that this one belongs to. */
export const ACTION = "treeline-dev/treeline@v0";
/** Schema of the configuration, for editors. */
export const SCHEMA_ADDRESS = "https://raw.githubusercontent.com/treeline-dev/treeline/v0/schemas/config.schema.json";
/** Documents. */
export const DOCS_ADDRESS = "https://github.com/treeline-dev/treeline/blob/v0/docs";
/** The Worker in the npm package, from the folder of `wrangler.toml`. */
export const WORKER_PATH = "node_modules/treeline/dist/worker.js";
/** Its static assets. */
export const ASSETS_PATH = "node_modules/treeline/dist/assets";

/** What stands in a workflow. */
interface WorkflowSettings {
  /** Name of the workflow, that of its file. */
  readonly workflow: string;
  readonly branch: string;
  /** Folder of the project in its repository, `.` for the top. */
  readonly root: string;
  /** Account of Cloudflare; `""` = a variable of the repository. */
  readonly account: string;
  readonly bucket: string;
}

/** Names under which a repository keeps what the workflow needs. */
const SECRET_NAMES = { id: "R2_ACCESS_KEY_ID", secret: "R2_SECRET_ACCESS_KEY" } as const;
/** Variable of the repository for the account. */
const ACCOUNT_VARIABLE = "CLOUDFLARE_ACCOUNT_ID";
export function writeWorkflow({ workflow, branch, root, account, bucket }: WorkflowSettings): string {
  return `# Indexes every push to ${branch} and publishes the index; on pull requests it only says what would change.
name: ${workflow}
on:
  push:
    branches: [${JSON.stringify(branch)}]
  pull_request:

permissions:
  contents: read

# One publish after another: the newest push is what is served at the end.
concurrency:
  group: ${workflow}-\${{ github.ref }}

jobs:
  index:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 24
      - uses: ${ACTION}
        with:
          root: ${quoteFolder(root)}
          account: ${account === "" ? `\${{ vars.${ACCOUNT_VARIABLE} }}` : JSON.stringify(account)}
          bucket: ${JSON.stringify(bucket)}
          access-key-id: \${{ secrets.${SECRET_NAMES.id} }}
          secret-access-key: \${{ secrets.${SECRET_NAMES.secret} }}
`;
}

/** A folder as a text of YAML, in which GitHub finds no expression either. */
function quoteFolder(root: string): string {
  return JSON.stringify(root).replaceAll(/\$\{\{/g, (opening) => `\${{ '${opening}' }}`);
}

/** What the steps depend on. */
interface StepsInput {
  readonly account: string;
  readonly isPrivate: boolean;
  /** The project's `package.json`; undefined where it has none. */
  readonly manifest: Settings | undefined;
  /** Whether wrangler would read another configuration first. */
  readonly hasOtherWrangler: boolean;
  /** Files that this run was to write, as `--only` names them. */
  readonly parts: readonly Part[];
}

/** The steps as lines. */
export function listNextSteps({ account, isPrivate, manifest, hasOtherWrangler, parts }: StepsInput): string[] {
  const steps: (readonly [command: string, purpose: string])[] = [];
  if (parts.includes("config") || parts.includes("wrangler")) {
    const missing = ["treeline", "wrangler"].filter((name) => !dependenciesOf(manifest ?? {}).has(name));
    if (missing.length > 0) {
      const purpose = manifest === undefined ? "makes a package.json, too" : "";
      steps.push([`npm install --save-dev ${missing.join(" ")}`, purpose]);
    }
    steps.push(["npx treeline dev", "try it on this machine"]);
  }
  if (parts.includes("wrangler")) {
    const config = hasOtherWrangler ? ` --config ${WRANGLER_TOML}` : "";
    steps.push(
      ["npx wrangler login", "once on this machine"],
      [`npx treeline deploy${config}`, "bucket, secret and Worker on Cloudflare"],
    );
    if (isPrivate) steps.push(["npx treeline keys add ME --bucket URL", `who may ask: ${DOCS_ADDRESS}/access.md`]);
  }
  if (parts.includes("workflow")) {
    const secrets = `secrets ${SECRET_NAMES.id} and ${SECRET_NAMES.secret}`;
    const variable = account === "" ? `, variable ${ACCOUNT_VARIABLE}` : "";
    steps.push(["on GitHub", `${secrets}${variable}: ${DOCS_ADDRESS}/init.md`]);
  }
  steps.push(["git add, commit, push", parts.includes("workflow") ? "the first run of the workflow publishes" : ""]);
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    "next:",
    ...steps.map(([command, purpose]) => (purpose === "" ? `  ${command}` : `  ${command.padEnd(width)}  ${purpose}`)),
  ];
}
