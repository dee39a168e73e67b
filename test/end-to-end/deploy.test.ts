/** The real wrangler deploys the project's Worker to an API that keeps state, on this machine. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployWorker, readWorkerConfig } from "../../indexer/cli/commands/deploy.ts";
import { findWrangler, runWith } from "../../indexer/cli/deploy/run-wrangler.ts";
import { writeWrangler } from "../../indexer/cli/init/plan-init.ts";
import { projectRoot } from "../support/environment.ts";
import { ASSETS_SESSION, FAKE_ACCOUNT, type FakeCloudflare, startFakeCloudflare } from "../support/fake-cloudflare.ts";

type DeploySummary = Awaited<ReturnType<typeof deployWorker>>;

const WORKER = "treeline-staging";
const BUCKET = "treeline-index-staging";

let home = "";
const started: FakeCloudflare[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "treeline-deploy-home-"));
});

afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
  await rm(home, { recursive: true, force: true });
});

async function openAccount(): Promise<FakeCloudflare> {
  const cloudflare = await startFakeCloudflare();
  started.push(cloudflare);
  return cloudflare;
}

async function deploy(
  cloudflare: FakeCloudflare,
  dryRun = false,
  place: Pick<Parameters<typeof readWorkerConfig>[1], "folder" | "environment"> = {
    folder: projectRoot,
    environment: "staging",
  },
): Promise<DeploySummary> {
  const wrangler = findWrangler(projectRoot);
  const wish = { config: undefined, name: undefined, variables: {}, ...place };
  const environment = { ...cloudflare.environment, XDG_CONFIG_HOME: home };
  return deployWorker({
    config: { ...readWorkerConfig(wrangler, wish), account: FAKE_ACCOUNT },
    dryRun,
    runnerWith: (variables) => runWith(wrangler, place.folder, { ...environment, ...variables }),
    onStep: () => undefined,
    fetch: async () => Response.json({ status: "ok", index: "unknown" }),
    sleep: async () => undefined,
  });
}

function writes({ account }: FakeCloudflare): string[] {
  const changing = account.calls.filter(({ method, path }) => method !== "GET" && !path.endsWith(ASSETS_SESSION));
  return changing.map(({ method, path }) => `${method} ${path}`);
}

// At once: each waits for programs of its own, and for an account of its own.
describe.concurrent("treeline deploy with the real wrangler", () => {
  it("makes what is missing once, with the right bindings, and keeps it afterwards", async () => {
    const cloudflare = await openAccount();
    const { account } = cloudflare;
    const planned = await deploy(cloudflare, true);
    expect(planned).toMatchObject({ isNew: undefined, secret: "unknown", urls: [], worker: WORKER });
    expect(planned.gzipBytes).toBeGreaterThan(100_000);
    // Nobody is asked, so it needs neither a login nor a network.
    expect(account.calls).toEqual([]);

    const first = await deploy(cloudflare);
    expect(first).toMatchObject({ isNew: true, secret: "made", bucketState: "made", health: { ok: true } });
    expect(first.urls).toEqual([`https://${WORKER}.maintainer.workers.dev`]);
    expect([...account.buckets]).toEqual([BUCKET]);
    const script = account.scripts.get(WORKER);
    const secret = script?.secrets.get("TREELINE_SECRET");
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(first)).not.toContain(secret);
    // The first upload has the secret in it: no version was ever there without.
    expect(writes(cloudflare).filter((line) => line.includes("/scripts/"))[0]).toBe(`PUT /workers/scripts/${WORKER}`);
    expect(script?.bindings.map(({ name, type, ...rest }) => [name, type, rest])).toEqual([
      ["INSIGHTS", "durable_object_namespace", { class_name: "QueryInsights" }],
      ["SESSIONS", "durable_object_namespace", { class_name: "TreelineSession" }],
      ["INDEX", "r2_bucket", { bucket_name: BUCKET }],
      ["RATE_LIMIT", "ratelimit", { namespace_id: "2001", simple: { limit: 600, period: 60 } }],
      ["SESSION_RATE_LIMIT", "ratelimit", { namespace_id: "2002", simple: { limit: 30, period: 60 } }],
      ["ASSETS", "assets", {}],
    ]);
    expect(script?.metadata).toMatchObject({
      observability: { redact_query_string: true, logs: { invocation_logs: false } },
      cache_options: { enabled: true },
      assets: { config: { run_worker_first: true, html_handling: "none" } },
      exports: { IndexFiles: { cache: { enabled: true } }, default: { cache: { enabled: false } } },
    });

    expect(script?.metadata["package_dependencies"]).toBeUndefined();

    account.calls.length = 0;
    const second = await deploy(cloudflare);
    expect(second).toMatchObject({ isNew: false, secret: "kept", bucketState: "kept" });
    expect(account.scripts.get(WORKER)?.uploads).toBe(2);
    expect(account.scripts.get(WORKER)?.secrets.get("TREELINE_SECRET")).toBe(secret);
    expect(writes(cloudflare).some((line) => line.includes("r2/buckets"))).toBe(false);
  });

  it("bundles the Worker for a package of a workspace, whose packages lie in a folder above", async () => {
    const settings = { name: "acme", bucket: "acme", account: "", isPrivate: false };
    const folder = await mkdtemp(join(home, "package-"));
    const own = await readFile(join(projectRoot, "wrangler.toml"), "utf8");
    await writeFile(join(folder, "wrangler.toml"), writeWrangler(own, settings));
    const planned = await deploy(await openAccount(), true, { folder, environment: undefined });
    expect(planned).toMatchObject({ worker: "acme", bucketState: "unknown" });
    expect(planned.gzipBytes).toBeGreaterThan(100_000);
  });

  it("says what a token lacks, and changes nothing", async () => {
    const cloudflare = await openAccount();
    const { account } = cloudflare;
    account.refuse = ({ path }) =>
      path.startsWith("/workers") ? { status: 403, code: 10000, message: "Authentication error" } : undefined;
    await expect(deploy(cloudflare)).rejects.toThrow(
      /Workers Scripts: Edit and Workers R2 Storage: Edit[\s\S]*code: 10000/,
    );
    expect(writes(cloudflare)).toEqual([]);
  });
});
