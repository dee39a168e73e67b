/**
 * What `treeline deploy` says when it is done.
 */

import { DEFAULT_OUT } from "../../base/installation.ts";
import { formatBytes } from "../../base/printable.ts";
import { type DeploySummary, isBroken } from "./deploy.ts";

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
