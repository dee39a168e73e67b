/** Reading a Worker's configuration, with the real wrangler's reader. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type * as Wrangler from "wrangler";
import { workerFile } from "../../../../indexer/base/installation.ts";
import { readWorkerConfig } from "../../../../indexer/cli/commands/deploy.ts";
import { findWrangler } from "../../../../indexer/cli/deploy/run-wrangler.ts";
import { projectRoot } from "../../../support/environment.ts";

const wrangler = findWrangler(projectRoot);
const DEFAULTS = { config: undefined, environment: undefined, name: undefined, variables: {} };
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "treeline-worker-config-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function read(wish: Partial<Parameters<typeof readWorkerConfig>[1]> = {}) {
  return readWorkerConfig(wrangler, { ...DEFAULTS, folder: projectRoot, ...wish });
}

async function write(text: string): Promise<string> {
  await writeFile(join(folder, "other.toml"), text);
  return join(folder, "other.toml");
}

describe("the configuration of a Worker", () => {
  it("is that of the project, whole in each of its environments", () => {
    const first = read();
    const staging = read({ environment: "staging" });
    expect(first).toMatchObject({ worker: "treeline", bucket: "treeline-index", warnings: [] });
    expect(staging).toMatchObject({ worker: "treeline-staging", warnings: [], environment: "staging" });
    expect(staging.bucket).not.toBe(first.bucket);
  });

  it("shares no namespace of rate limits between environments", async () => {
    const text = await readFile(join(projectRoot, "wrangler.toml"), "utf8");
    const ids = [...text.matchAll(/^namespace_id = "(\d+)"/gm)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThanOrEqual(4);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("leaves a domain to the environment that names it", async () => {
    const text = await readFile(join(projectRoot, "wrangler.toml"), "utf8");
    const config = await write(`routes = [{ pattern = "docs.example.com", custom_domain = true }]\n${text}`);
    const { unstable_readConfig: readConfig } = createRequire(import.meta.url)("wrangler") as typeof Wrangler;
    expect(readConfig({ config }, { hideWarnings: true }).routes).toHaveLength(1);
    expect(readConfig({ config, env: "staging" }, { hideWarnings: true })).toMatchObject({
      routes: [],
      workers_dev: true,
    });
  });

  it("takes the name that is given, and that of Workers Builds before all", () => {
    expect(read({ name: "docs-search" }).worker).toBe("docs-search");
    const variables = { WRANGLER_CI_OVERRIDE_NAME: "of-the-build" };
    expect(read({ name: "docs-search", variables }).worker).toBe("of-the-build");
  });

  it("is that of the environment that CLOUDFLARE_ENV names, in all of it, where none is given", () => {
    const variables = { CLOUDFLARE_ENV: "staging", CLOUDFLARE_ACCOUNT_ID: "a1" };
    expect(read({ variables })).toEqual({ ...read({ environment: "staging" }), account: "a1" });
    expect(() => read({ variables: { CLOUDFLARE_ENV: "prod" } })).toThrow(
      'has no environment "prod", which CLOUDFLARE_ENV names',
    );
  });

  it("leaves nothing to a variable that wrangler's reader would look at", () => {
    vi.stubEnv("CLOUDFLARE_ENV", "staging");
    expect(read()).toMatchObject({ worker: "treeline", bucket: "treeline-index", environment: undefined });
    vi.unstubAllEnvs();
  });

  it("has another entry where the package lies in a folder above, and no other file is replaced", async () => {
    const text = await readFile(join(projectRoot, "wrangler.toml"), "utf8");
    const entryOf = async (main: string) =>
      read({ config: await write(text.replace("src/worker/worker.ts", main)) }).entry;
    expect(await entryOf("node_modules/treeline/dist/worker.js")).toBe(workerFile);
    expect(await entryOf("worker-of-mine.js")).toBeUndefined();
    expect(read().entry).toBeUndefined();
  });

  it("names the nearest environment", () => {
    expect(() => read({ environment: "stagin" })).toThrow(expect.objectContaining({ nearest: ["staging"] }));
  });

  it("has to be there", () => {
    expect(() => read({ folder })).toThrow("treeline init");
    expect(() => read({ config: "nowhere.toml" })).toThrow("there is no file nowhere.toml");
  });

  it("is not that of another Worker, which would be deployed in its place", async () => {
    const config = await write('name = "site"\nmain = "x.js"\ncompatibility_date = "2026-01-01"\n');
    expect(() => read({ config })).toThrow(/lacks a bucket bound as INDEX.*another Worker/);
  });

  it("says what an environment does not inherit", async () => {
    const text = await readFile(join(projectRoot, "wrangler.toml"), "utf8");
    const config = await write(
      `${text}\n[env.bare]\n[[env.bare.r2_buckets]]\nbinding = "INDEX"\nbucket_name = "bare"\n`,
    );
    expect(() => read({ config, environment: "bare" })).toThrow(/INSIGHTS and the Durable Object SESSIONS.*inherit no/);
  });

  it("warns where nothing bounds requests", async () => {
    const text = await readFile(join(projectRoot, "wrangler.toml"), "utf8");
    const config = await write(text.replaceAll('name = "RATE_LIMIT"', 'name = "ANOTHER"'));
    expect(read({ config }).warnings).toEqual([expect.stringContaining("RATE_LIMIT")]);
  });

  it("is a file that can be read", async () => {
    expect(() => read({ config: join(folder, "other.toml") })).not.toThrow();
    const config = await write("name = ");
    expect(() => read({ config })).toThrow("cannot be read");
  });
});
