/**
 * What `treeline deploy` says when it is done.
 */
import { formatBytes } from "../format-bytes.ts";
import type { DeploySummary } from "./deploy.ts";

/** Lines for a person: what was made, where it answers, and what comes next. */
export function describeDeployment(summary: DeploySummary): string[] {
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
      lines.push(`It does not answer yet (${health?.detail}): a new address takes a minute. Ask ${url}/health later.`);
    }
  }
  lines.push(
    "Next: build an index and publish it,",
    `  treeline publish --index .treeline/index --bucket ${bucketUrl}`,
  );
  if (url !== undefined) lines.push(`then see what it answers from: treeline status ${url}`);
  return lines;
}
