/**
 * What is left for a person to do behind `treeline init`. Pure.
 */
import { DOCS_ADDRESS } from "./published-names.ts";
import { ACCOUNT_VARIABLE, SECRET_NAMES } from "./write-workflow.ts";

/** What the steps depend on. */
export interface StepsInput {
  readonly account: string;
  readonly isPrivate: boolean;
  readonly hasManifest: boolean;
  readonly hasWorkflow: boolean;
}

/** The steps as lines. */
export function listNextSteps({ account, isPrivate, hasManifest, hasWorkflow }: StepsInput): string[] {
  const steps: (readonly [command: string, purpose: string])[] = [
    ["npm install --save-dev treeline wrangler", hasManifest ? "" : "makes a package.json, too"],
    ["npx treeline dev", "try it on this machine"],
    ["npx treeline deploy", "bucket, secret and Worker on Cloudflare"],
  ];
  if (isPrivate) steps.push(["npx treeline keys add ME --bucket URL", `who may ask: ${DOCS_ADDRESS}/access.md`]);
  if (hasWorkflow) {
    const secrets = `secrets ${SECRET_NAMES.id} and ${SECRET_NAMES.secret}`;
    const variable = account === "" ? `, variable ${ACCOUNT_VARIABLE}` : "";
    steps.push(["on GitHub", `${secrets}${variable}: ${DOCS_ADDRESS}/init.md`]);
  }
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    "next:",
    ...steps.map(([command, purpose]) => (purpose === "" ? `  ${command}` : `  ${command.padEnd(width)}  ${purpose}`)),
  ];
}
