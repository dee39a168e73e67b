/** What a deployment does, with a wrangler whose answers are made up; the real one runs in the end-to-end test. */
import { describe, expect, it } from "vitest";
import type { readWorkerConfig } from "../../../../indexer/cli/commands/deploy.ts";
import { deployWorker, isBroken } from "../../../../indexer/cli/commands/deploy.ts";
import type { RunWrangler, WranglerResult } from "../../../../indexer/cli/deploy/run-wrangler.ts";

type WorkerConfig = Readonly<ReturnType<typeof readWorkerConfig>>;

type DeployOptions = Parameters<typeof deployWorker>[0];

const CONFIG: WorkerConfig = {
  file: "/site/wrangler.toml",
  environment: undefined,
  worker: "treeline",
  bucket: "treeline-index",
  entry: undefined,
  assets: undefined,
  jurisdiction: undefined,
  account: "acc",
  warnings: [],
};
const NOT_FOUND = 'X [ERROR] Worker "treeline" not found.\n';
const UPLOADED = 'Creating new R2 Bucket "treeline-index"...\nTotal Upload: 1414.00 KiB / gzip: 396.50 KiB\n';
const DEPLOYED = { type: "deploy", targets: ["https://treeline.me.workers.dev", "docs.example.com (custom domain)"] };

interface Seen {
  readonly calls: Parameters<RunWrangler>[0][];
  readonly variables: Readonly<Record<string, string>>[];
}

function said(output: string, ok = true, events: WranglerResult["events"] = []): WranglerResult {
  return { ok, output, all: output, events };
}

/** Options whose wrangler answers by the first word of what it is asked. */
function answering(
  answers: Readonly<Record<string, WranglerResult>>,
  more: Partial<DeployOptions> = {},
): { seen: Seen; options: DeployOptions } {
  const seen: Seen = { calls: [], variables: [] };
  const options: DeployOptions = {
    config: CONFIG,
    dryRun: false,
    runnerWith: (variables) => async (call) => {
      seen.calls.push(call);
      seen.variables.push(variables);
      const answer = answers[call.words[0] ?? ""];
      if (answer === undefined) throw new Error(`nobody expected ${call.words.join(" ")}`);
      return answer;
    },
    onStep: () => undefined,
    fetch: async () => Response.json({ status: "ok", index: "unknown" }),
    sleep: async () => undefined,
    ...more,
  };
  return { seen, options };
}

const first = { secret: said(NOT_FOUND, false), deploy: said(UPLOADED, true, [DEPLOYED]) };
const kept = said('[{"name":"OTHER"},{"name":"TREELINE_SECRET","type":"secret_text"}]');

describe("a deployment", () => {
  it("gives a new Worker its secret with the first version", async () => {
    const { seen, options } = answering(first);
    const summary = await deployWorker(options);
    expect(summary).toMatchObject({ isNew: true, secret: "made", bucketState: "made", health: { ok: true } });
    expect(seen.calls).toHaveLength(2);
    const { words, file } = seen.calls[1] ?? { words: [] };
    expect(file?.option).toBe("--secrets-file");
    const { TREELINE_SECRET: secret } = JSON.parse(file?.content ?? "{}") as { TREELINE_SECRET: string };
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify([words, summary])).not.toContain(secret);
  });

  it("draws another secret each time", async () => {
    const secrets = await Promise.all(
      [1, 2].map(async () => {
        const { seen, options } = answering(first);
        await deployWorker(options);
        return seen.calls[1]?.file?.content;
      }),
    );
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  it("never sends a secret to a Worker that has one", async () => {
    const { seen, options } = answering({ ...first, secret: kept });
    const summary = await deployWorker(options);
    expect(summary).toMatchObject({ isNew: false, secret: "kept" });
    expect(seen.calls.every(({ file }) => file === undefined)).toBe(true);
  });

  it("gives a Worker that is there without the secret one", async () => {
    const { seen, options } = answering({ ...first, secret: said('[{"name":"OTHER"}]') });
    expect(await deployWorker(options)).toMatchObject({ isNew: false, secret: "made" });
    expect(seen.calls[1]?.file?.content).toContain("TREELINE_SECRET");
  });

  it.each(["", "Something else\n", '{"name":"TREELINE_SECRET"}'])(
    "stops where the list of secrets cannot be read: %j",
    async (output) => {
      const { seen, options } = answering({ ...first, secret: said(output) });
      await expect(deployWorker(options)).rejects.toThrow("list of secrets");
      expect(seen.calls).toHaveLength(1);
    },
  );

  it("stops where the list of secrets is refused", async () => {
    const refused = said(
      "X [ERROR] A request to the Cloudflare API failed.\n  Authentication error [code: 10000]\n",
      false,
    );
    const { seen, options } = answering({ ...first, secret: refused });
    await expect(deployWorker(options)).rejects.toThrow(/Workers R2 Storage: Edit/);
    expect(seen.calls).toHaveLength(1);
  });

  it("names the Worker in full and the environment, each where wrangler takes them", async () => {
    const config = { ...CONFIG, environment: "staging", worker: "treeline-staging" };
    const { seen, options } = answering(first, { config });
    await deployWorker(options);
    const [list, deploy] = seen.calls.map(({ words }) => words.join(" "));
    // With both, wrangler would look at treeline-staging-staging.
    expect(list).toBe("secret list --config /site/wrangler.toml --name treeline-staging");
    expect(deploy).toBe("deploy --config /site/wrangler.toml --env=staging --name treeline-staging");
  });

  it("changes nothing in a dry run, and asks nobody", async () => {
    const { seen, options } = answering(first, { dryRun: true, fetch: () => Promise.reject(new Error("asked")) });
    expect(await deployWorker({ ...options, config: { ...options.config, account: undefined } })).toMatchObject({
      account: "",
      secret: "unknown",
      bucketState: "unknown",
      urls: [],
      dryRun: true,
    });
    expect(seen.calls.map(({ words, file }) => [words[0], words.includes("--dry-run"), file])).toEqual([
      ["deploy", true, undefined],
    ]);
  });

  it("reads addresses, size and the address for publishing", async () => {
    const config = { ...CONFIG, jurisdiction: "eu" };
    const summary = await deployWorker(answering(first, { config }).options);
    expect(summary.urls).toEqual(["https://treeline.me.workers.dev", "https://docs.example.com"]);
    expect(summary.gzipBytes).toBe(406_016);
    expect(summary.bucketUrl).toBe("https://acc.eu.r2.cloudflarestorage.com/treeline-index");
  });

  it("takes no pattern of a route for an address", async () => {
    const deploy = said(UPLOADED, true, [{ type: "deploy", targets: ["example.com/docs/*"] }]);
    const summary = await deployWorker(answering({ ...first, deploy }).options);
    expect([summary.urls, summary.health]).toEqual([[], undefined]);
  });

  it("gives wrangler the entry that was found in place of the configuration's", async () => {
    const { seen, options } = answering(first, { config: { ...CONFIG, entry: "/top/worker.js" } });
    await deployWorker(options);
    expect(seen.calls.map(({ words }) => words.slice(0, 3))).toEqual([
      ["secret", "list", "--config"],
      ["deploy", "/top/worker.js", "--config"],
    ]);
  });

  it("is broken where a Worker that was there answers with an error of its own, and only there", async () => {
    const answer = (status: number, secret: WranglerResult) =>
      deployWorker(answering({ ...first, secret }, { fetch: async () => new Response("", { status }) }).options);
    expect(isBroken(await answer(500, kept))).toBe(true);
    // A new address is not known everywhere yet, and a login stands before some.
    expect(isBroken(await answer(500, first.secret))).toBe(false);
    expect(isBroken(await answer(403, kept))).toBe(false);
    expect(isBroken(await deployWorker(answering({ ...first, secret: kept }).options))).toBe(false);
  });

  it("waits for a new address, and says why where it stays silent", async () => {
    let asked = 0;
    const slow = async (): Promise<Response> =>
      ++asked < 3 ? new Response("", { status: 404 }) : Response.json({ status: "ok" });
    const answers = await deployWorker(answering(first, { fetch: slow }).options);
    expect([asked, answers.health]).toEqual([3, { ok: true, detail: "ok", status: 200 }]);
    const dead = answering(first, { fetch: () => Promise.reject(new TypeError("fetch failed")) });
    expect((await deployWorker(dead.options)).health).toEqual({
      ok: false,
      detail: "fetch failed",
      status: undefined,
    });
  });
});

describe("the account", () => {
  const config = { ...CONFIG, account: undefined };
  const whoami = (answer: object, ok = true): WranglerResult => said(JSON.stringify(answer), ok);

  it("is the only one of who is logged in", async () => {
    const login = whoami({ loggedIn: true, accounts: [{ id: "a1", name: "Mine" }] });
    const { seen, options } = answering({ ...first, whoami: login }, { config });
    expect((await deployWorker(options)).account).toBe("a1");
    expect(seen.variables).toEqual([{}, { CLOUDFLARE_ACCOUNT_ID: "a1" }, { CLOUDFLARE_ACCOUNT_ID: "a1" }]);
  });

  it("has to be named where there are several, or none", async () => {
    const accounts = [
      { id: "a1", name: "Mine" },
      { id: "a2", name: "Theirs" },
    ];
    const several = answering({ whoami: whoami({ loggedIn: true, accounts }) }, { config });
    await expect(deployWorker(several.options)).rejects.toThrow(
      /CLOUDFLARE_ACCOUNT_ID[\s\S]*a1 {2}Mine[\s\S]*a2 {2}Theirs/,
    );
    const none = answering({ whoami: whoami({ loggedIn: true, accounts: [] }) }, { config });
    await expect(deployWorker(none.options)).rejects.toThrow("name no account");
  });

  it("needs somebody who is logged in", async () => {
    const { options } = answering({ whoami: whoami({ loggedIn: false }, false) }, { config });
    await expect(deployWorker(options)).rejects.toThrow(/nobody is logged in.*wrangler login.*CLOUDFLARE_API_TOKEN/);
  });
});
