/** The GitHub Action, its steps run as a runner does, against a bucket that checks signatures and bodies. */
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { verifyFiles } from "../../indexer/open/open-index.ts";
import type { ObjectStore } from "../../indexer/publish/object-store.ts";
import { openBucket } from "../../indexer/publish/s3.ts";
import { type CountingProxy, startCountingProxy } from "../support/counting-proxy.ts";
import { projectRoot } from "../support/environment.ts";
import { currentGeneration } from "../support/kill-publishes.ts";
import { type LocalBucket, startBucket } from "../support/local-bucket.ts";
import {
  type ActionResult,
  type ActionRun,
  type ActionStep,
  type CacheStore,
  emptyCaches,
  PUSH_PAYLOAD,
  runAction,
} from "../support/run-action.ts";
import { runProgram } from "../support/run-program.ts";
import { writeFiles } from "../support/temporary-folder.ts";
import { fillTemplate } from "../support/workflow-expressions.ts";

const PAGES = 90;
const MAIN_STEP = "Build, check, publish";

let dir: string;
let bucket: LocalBucket;
let proxy: CountingProxy;
let store: ObjectStore;
let caches: CacheStore;
let machines = 0;
/** What is pushed: files of the folder `docs`. */
const docs: Record<string, string> = {};

/** A machine that has nothing but a checkout. */
async function checkOut(files: Readonly<Record<string, string>>): Promise<string> {
  const workspace = join(dir, `machine-${++machines}`);
  const placed = Object.entries(files).map(([path, text]) => [join("docs", path), text]);
  await writeFiles(workspace, Object.fromEntries(placed));
  execFileSync("git", ["init", "--quiet", workspace]);
  return workspace;
}

function bucketInputs(): Record<string, string> {
  const { accessKeyId, secretAccessKey } = bucket.credentials;
  const endpoint = new URL(bucket.address).pathname.split("/").slice(0, -1).join("/");
  return {
    endpoint: `${proxy.origin}${endpoint}`,
    bucket: bucket.address.split("/").at(-1) ?? "",
    "access-key-id": accessKeyId,
    "secret-access-key": secretAccessKey,
  };
}

async function act(
  files: Readonly<Record<string, string>>,
  { inputs = {}, ...more }: Partial<ActionRun> = {},
): Promise<ActionResult & { readonly sent: ReturnType<CountingProxy["take"]>; readonly workspace: string }> {
  const workspace = await checkOut(files);
  proxy.take();
  const result = await runAction({
    workspace,
    inputs: { root: "docs", ...bucketInputs(), ...inputs },
    caches,
    ...more,
  });
  expect(result.otherCommands).toEqual([]);
  expect(result.log).not.toContain(bucket.credentials.secretAccessKey);
  return { ...result, sent: proxy.take(), workspace };
}

const pullRequest = (from: string): NonNullable<ActionRun["event"]> => ({
  name: "pull_request",
  ref: "refs/pull/7/merge",
  baseRef: "main",
  payload: { ...PUSH_PAYLOAD, pull_request: { head: { repo: { full_name: from } } } },
});

/** Steps of the workflows that the Action's page shows. */
async function readShownSteps(): Promise<ActionStep[]> {
  const page = await readFile(join(projectRoot, "docs", "github-action.md"), "utf8");
  const shown = [...page.matchAll(/^```yaml\n(name: .*?)^```$/gms)].map(([, text = ""]) => text);
  return shown.flatMap((text) => {
    const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, { readonly steps: ActionStep[] }>> };
    return Object.values(jobs).flatMap(({ steps }) => steps);
  });
}

/** A row of the table in a summary. */
function rowOf(summary: string, name: string): string {
  return new RegExp(`^\\| ${name} \\| (.*) \\|$`, "m").exec(summary)?.[1] ?? "";
}

/** Seconds that a summary names lie within what the step took, bytes and requests are those that were sent. */
function expectTrueFigures(result: Awaited<ReturnType<typeof act>>): void {
  const { outputs, summary, sent, steps } = result;
  const wall = steps.find(({ name }) => name === MAIN_STEP)?.seconds ?? 0;
  const [whole = -1, ...parts] = [...rowOf(summary, "Seconds").matchAll(/\d+\.\d\d/g)].map(Number);
  expect(String(whole.toFixed(2))).toBe(outputs["seconds"]);
  expect(whole).toBeGreaterThan(0);
  expect(whole).toBeLessThanOrEqual(wall);
  expect(parts.length).toBeGreaterThan(2);
  // Each is rounded.
  expect(parts.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(whole + 0.01 * parts.length);
  expect(rowOf(summary, "Requests")).toBe(String(sent.requests));
  expect(outputs["uploaded-bytes"]).toBe(String(sent.uploadedBytes));
  expect(rowOf(summary, "Uploaded").replaceAll(",", "")).toContain(
    sent.uploadedBytes === 0 ? "0 files 0 B" : `(${sent.uploadedBytes} bytes)`,
  );
}

// One after another: each push goes on with the bucket and the caches that the one before left.
describe("the GitHub Action", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-action-"));
    bucket = await startBucket();
    proxy = await startCountingProxy(bucket.origin);
    store = openBucket(bucket.address, bucket.credentials);
    caches = emptyCaches(join(dir, "caches"));
    for (let page = 0; page < PAGES; page++) {
      const words = Array.from({ length: 40 }, (_, at) => `word${(page * 7 + at * 13) % 400}`).join(" ");
      docs[`page-${page}.md`] = `# Page ${page}\n\nAbout ${words}.\n`;
    }
    docs["tool.ts"] = "export function measure(): number {\n  return 1;\n}\n";
  });
  afterAll(async () => {
    await proxy?.stop();
    await bucket?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it("publishes the first push, and says truly what that took", async () => {
    const first = await act(docs, { inputs: { url: "https://search.example.org" } });
    expect(first.isGood, first.log).toBe(true);
    expect(first.outputs).toMatchObject({
      generation: await currentGeneration(store),
      pages: String(PAGES + 1),
      symbols: "1",
      "reused-bytes": "0",
      published: "true",
      "new-findings": "",
      url: "https://search.example.org",
      index: "docs/.treeline/index",
    });
    expectTrueFigures(first);
    expect(rowOf(first.summary, "Built on")).toBe("nothing");
    expect(await verifyFiles(bucket.origin)).toEqual([]);
    const listed = await store.list();
    expect(listed.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(first.sent.uploadedBytes);
    expect([first.restored, first.annotations]).toEqual(["", []]);
    expect(first.saved).toMatch(/^treeline-Linux-X64-root-[0-9a-f]{12}-refs\/heads\/main-\d+-1$/);
  });

  it("asks twice and sends nothing where a push changes nothing", async () => {
    const again = await act(docs);
    expect(again.isGood, again.log).toBe(true);
    expect(again.restored).toBe("");
    expect(again.sent.uploadedBytes).toBe(0);
    expect(again.outputs).toMatchObject({ "uploaded-bytes": "0", published: "true", "new-findings": "0" });
    expectTrueFigures(again);
    expect(rowOf(again.summary, "Pages")).toBe("91 (0 added, 0 changed, 0 deleted)");
    // The same index was kept before.
    expect(again.saved).toBe("");
  });

  it("sends little for an edit, on machines that are new each time", async () => {
    docs["page-3.md"] = "# Page 3\n\nNow about quokkas.\n";
    docs["new.md"] = "# New\n\nA page more.\n";
    const edited = await act(docs);
    expect(edited.isGood, edited.log).toBe(true);
    expectTrueFigures(edited);
    expect(edited.sent.uploadedBytes).toBeLessThan(Number(edited.outputs["reused-bytes"]) / 2);
    expect(rowOf(edited.summary, "Pages")).toBe("92 (1 added, 1 changed, 0 deleted)");
    // A cache may be forged, so what is published does not begin with one.
    expect(rowOf(edited.summary, "Built on")).toContain("out of the bucket");

    delete docs["new.md"];
    const cold = await act(docs, { caches: emptyCaches(join(dir, "no-caches")) });
    expect(cold.isGood, cold.log).toBe(true);
    expectTrueFigures(cold);
    expect(cold.sent.uploadedBytes).toBeLessThan(Number(cold.outputs["reused-bytes"]) / 2);
    expect(rowOf(cold.summary, "Pages")).toBe("91 (0 added, 0 changed, 1 deleted)");
    expect(rowOf(cold.summary, "Built on")).toContain("out of the bucket");
    expect(cold.outputs["generation"]).toBe(await currentGeneration(store));
    expect(await verifyFiles(bucket.origin)).toEqual([]);
  });

  it("publishes a corpus beside the others, whatever the branch where that is said", async () => {
    const before = await currentGeneration(store);
    const result = await act(docs, {
      event: { name: "push", ref: "refs/heads/release-2", payload: PUSH_PAYLOAD },
      inputs: { corpus: "v2", mode: "publish", url: "https://search.example.org/" },
    });
    expect(result.isGood, result.log).toBe(true);
    expect(result.outputs).toMatchObject({
      published: "true",
      "reused-bytes": "0",
      url: "https://search.example.org/v2",
    });
    expectTrueFigures(result);
    expect(await currentGeneration(store.within("v2"))).toBe(result.outputs["generation"]);
    expect(result.saved).toContain("-v2-");
    expect(await currentGeneration(store)).toBe(before);
  });

  it("says of a pull request what it breaks and what it would upload, and changes nothing", async () => {
    const before = await store.list();
    const broken = { ...docs, "page-5.md": "# Page 5\n\nSee [this](nowhere.md).\n" };
    const result = await act(broken, { event: pullRequest("owner/docs"), inputs: { "comment-file": "comment.md" } });
    expect(result.isGood, result.log).toBe(true);
    expect(result.annotations).toEqual([
      {
        level: "warning",
        message: "link to nowhere.md: no such page",
        properties: { file: "docs/page-5.md", line: "3", title: "broken-link" },
      },
    ]);
    expect(result.outputs).toMatchObject({ published: "false", "new-findings": "1" });
    expect(result.sent.uploadedBytes).toBe(0);
    expect(Number(result.outputs["uploaded-bytes"])).toBeGreaterThan(0);
    expect(rowOf(result.summary, "Would upload").replaceAll(",", "")).toContain(
      `(${result.outputs["uploaded-bytes"]} bytes)`,
    );
    const comment = await readFile(join(result.workspace, "comment.md"), "utf8");
    expect(comment.split("\n")[0]).toBe("<!-- treeline:root:docs -->");
    expect(comment).toContain("- warning in `docs/page-5.md:3`: `link to nowhere.md: no such page` [`broken-link`]");
    expect(result.saved).toBe("");
    expect(await store.list()).toEqual(before);
  });

  it("has a comment that the script in the documents writes once and renews, and no other", async () => {
    const programs = join(dir, "programs");
    const fake = join(projectRoot, "test", "support", "run-fake-gh.ts");
    await writeFiles(programs, { gh: `#!/bin/sh\nexec "${process.execPath}" "${fake}" "$@"\n` });
    await chmod(join(programs, "gh"), 0o755);
    const [step] = (await readShownSteps()).filter(({ run = "" }) => run.includes("gh api"));
    const mark = "<!-- treeline:root:docs -->";
    const comments = [
      { id: 1, user: { login: "stranger" }, body: `${mark}\nAll is well, says a stranger.` },
      { id: 2, user: { login: "github-actions[bot]" }, body: "Coverage went up." },
    ];
    const kept = join(dir, "comments.json");
    await writeFiles(dir, { "comments.json": JSON.stringify(comments) });
    const post = async (body: string): Promise<unknown[]> => {
      const outputs = { "comment-mark": mark, "comment-file": join(dir, "body.md") };
      await writeFiles(dir, { "body.md": `${mark}\n${body}` });
      const context = { github: { token: "", event: { number: 7 } }, steps: { treeline: { outputs } } };
      const filled = Object.entries(step?.env ?? {}).map(([name, text]) => [name, fillTemplate(text, context, {})]);
      const { exitCode, output } = await runProgram("bash", ["-e", "-c", step?.run ?? "exit 1"], dir, {
        ...Object.fromEntries(filled),
        FAKE_GH_COMMENTS: kept,
        GITHUB_REPOSITORY: "owner/docs",
        PATH: `${programs}:${process.env["PATH"]}`,
      });
      expect([exitCode, output]).toEqual([0, ""]);
      return JSON.parse(await readFile(kept, "utf8")) as unknown[];
    };
    const own = (body: string) => expect.objectContaining({ user: comments[1]?.user, body: `${mark}\n${body}` });
    expect(await post("1 new finding")).toEqual([...comments, own("1 new finding")]);
    expect(await post("no finding")).toEqual([...comments, own("no finding")]);
  });

  it("builds and compares a fork's pull request without secrets and without the bucket", async () => {
    const inputs = { "access-key-id": "", "secret-access-key": "" };
    const broken = { ...docs, "page-6.md": "# Page 6\n\nSee [this](nowhere.md).\n" };
    const result = await act(broken, { event: pullRequest("stranger/docs"), inputs });
    expect(result.isGood, result.log).toBe(true);
    expect(result.sent.requests).toBe(0);
    expect(result.outputs).toMatchObject({ published: "false", "uploaded-bytes": "", "new-findings": "1" });
    expect(result.annotations).toHaveLength(1);
    expect(result.summary).toContain("nothing was compared with the bucket");
    expect(result.saved).toBe("");
  });

  it("publishes nothing that holds a secret where that fails the job", async () => {
    const before = await currentGeneration(store);
    const key = `AKIA${"QWERTYUIOPASDFGH"}`;
    const result = await act(
      { ...docs, "leak.md": `# Leak\n\naws_access_key_id = ${key}\n` },
      { inputs: { "fail-on": "secret" } },
    );
    expect(result.isGood).toBe(false);
    expect(result.annotations.map(({ properties }) => properties["title"])).toEqual(["Treeline", "secret"]);
    expect(`${result.log}${result.summary}`).not.toContain(key);
    expect(result.summary).toContain("### Treeline: failed");
    expect(result.outputs).toMatchObject({ published: "false", pages: "92", "uploaded-bytes": "" });
    expect([result.sent.uploadedBytes, result.saved]).toEqual([0, ""]);
    expect(await currentGeneration(store)).toBe(before);
  });

  it("ends with what to mend where keys are wrong or the bucket is missing, before it builds", async () => {
    const without = { caches: emptyCaches(join(dir, "no-caches")) };
    const wrong = await act(docs, { ...without, inputs: { "secret-access-key": "a-wrong-secret" } });
    expect(wrong.isGood).toBe(false);
    expect(wrong.annotations[0]?.message).toContain("refused the credentials");
    expect(wrong.annotations[0]?.message).toContain("the input access-key-id");
    expect(wrong.log + wrong.summary).not.toContain("a-wrong-secret");
    expect(wrong.outputs).toMatchObject({ generation: "", published: "false" });
    const nowhere = await act(docs, { ...without, inputs: { bucket: "" } });
    expect(nowhere.isGood).toBe(false);
    expect(nowhere.annotations).toHaveLength(1);
    expect(nowhere.annotations[0]?.message).toContain("the input bucket is missing");
    expect(nowhere.summary).toContain("the input bucket is missing");
    expect(nowhere.sent.requests).toBe(0);
  });
});
