/**
 * What is left for a person to do behind `treeline init`. Pure.
 */
import { WRANGLER_TOML } from "../deploy/wrangler-files.ts";
import type { Part } from "./plan-init.ts";
import { DOCS_ADDRESS } from "./published-names.ts";
import { dependenciesOf, type Settings } from "./read-settings.ts";
import { ACCOUNT_VARIABLE, SECRET_NAMES } from "./write-workflow.ts";

/** What the steps depend on. */
export interface StepsInput {
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
