/** What somebody reads after a deployment. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { deployWorker } from "../../../../indexer/cli/commands/deploy.ts";
import { describeDeployment } from "../../../../indexer/cli/commands/deploy.ts";
import { projectRoot } from "../../../support/environment.ts";

type DeploySummary = Awaited<ReturnType<typeof deployWorker>>;

const PROGRAM = "npx treeline";
const FIRST: DeploySummary = {
  worker: "treeline",
  environment: undefined,
  account: "ACCOUNT",
  bucket: "treeline-index",
  bucketUrl: "https://ACCOUNT.r2.cloudflarestorage.com/treeline-index",
  isNew: true,
  secret: "made",
  bucketState: "made",
  dryRun: false,
  gzipBytes: 414_000,
  urls: ["https://treeline.example.workers.dev"],
  health: { ok: true, detail: "ok", status: 200 },
};

describe("the lines after a deployment", () => {
  it("are those that the documentation shows", () => {
    const page = readFileSync(join(projectRoot, "docs", "deploy.md"), "utf8");
    expect(page).toContain(`\`\`\`text\n${describeDeployment(FIRST, "npm run -s treeline --").join("\n")}\n\`\`\``);
  });

  it("say what stays at the next one", () => {
    const lines = describeDeployment({ ...FIRST, isNew: false, secret: "kept", bucketState: "kept" }, PROGRAM).join(
      "\n",
    );
    expect(lines).toContain("bucket treeline-index: was there");
    expect(lines).toContain("TREELINE_SECRET: was there, and stays");
  });

  it("say what to do where nothing answers yet, or nowhere", () => {
    const silent = describeDeployment(
      { ...FIRST, health: { ok: false, detail: "status 404", status: 404 } },
      PROGRAM,
    ).join("\n");
    expect(silent).toMatch(/does not answer yet \(status 404\).*\/health later/);
    const nowhere = describeDeployment({ ...FIRST, urls: [], health: undefined }, PROGRAM).join("\n");
    expect(nowhere).toMatch(/no address yet.*workers_dev/);
    expect(nowhere).not.toContain("/mcp");
  });

  it("say how to go back where a Worker that was there fails", () => {
    const health = { ok: false, detail: "status 500", status: 500 };
    expect(describeDeployment({ ...FIRST, isNew: false, health }, PROGRAM).join("\n")).toMatch(
      /does not answer yet \(status 500\).*wrangler rollback/,
    );
  });

  it("show commands as they are typed here, with the build that goes before", () => {
    const commands = describeDeployment(FIRST, PROGRAM).filter((line) => /^ {2}\S+ treeline /.test(line));
    expect(commands.map((line) => line.trim().split(" ").slice(0, 3).join(" "))).toEqual([
      "npx treeline build",
      "npx treeline publish",
      "npx treeline status",
    ]);
  });

  it("promise nothing in a dry run", () => {
    const plan = describeDeployment(
      { ...FIRST, account: "", dryRun: true, secret: "unknown", bucketState: "unknown", urls: [], health: undefined },
      PROGRAM,
    );
    expect(plan[0]).toBe("treeline is bundled, 414.0 kB compressed; nothing was changed, and nobody was asked");
    expect(plan.join("\n")).toContain("bucket treeline-index: made where it is absent");
    expect(plan.join("\n")).toContain("account: that of who is logged in");
    expect(plan.join("\n")).not.toContain("is deployed");
  });

  it("fill in what is left for publishing from GitHub", () => {
    const lines = describeDeployment(FIRST, PROGRAM);
    expect(lines.slice(-3)).toEqual([
      "  gh variable set CLOUDFLARE_ACCOUNT_ID --body ACCOUNT",
      "  gh secret set R2_ACCESS_KEY_ID",
      "  gh secret set R2_SECRET_ACCESS_KEY",
    ]);
    expect(lines.at(-4)).toContain("https://dash.cloudflare.com/ACCOUNT/r2/api-tokens");
  });
});
