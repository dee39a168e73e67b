/** What a run of the Action does, by its event and inputs. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseTask, leavesCache, readEvent, readInputs, takesCache } from "../../../../indexer/cli/action/inputs.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const REPOSITORY = { full_name: "owner/docs", default_branch: "main" };
const KEYS = {
  INPUT_ACCOUNT: "0123456789abcdef0123456789abcdef",
  INPUT_BUCKET: "docs",
  INPUT_ACCESS_KEY_ID: "id",
  INPUT_SECRET_ACCESS_KEY: "secret",
};

interface Given {
  readonly name: string;
  readonly ref?: string;
  readonly payload?: object | string;
  readonly more?: NodeJS.ProcessEnv;
  readonly inputs?: NodeJS.ProcessEnv;
}

async function taskOf(given: Given) {
  return (await decide(given)).task;
}

async function decide({ name, ref = "refs/heads/main", payload = {}, more = {}, inputs = KEYS }: Given) {
  const text = typeof payload === "string" ? payload : JSON.stringify({ repository: REPOSITORY, ...payload });
  const dir = await makeFolder({ "event.json": text });
  const environment = { GITHUB_EVENT_NAME: name, GITHUB_REF: ref, GITHUB_EVENT_PATH: join(dir, "event.json"), ...more };
  const event = await readEvent(environment);
  const read = readInputs({ ...inputs }, "/work");
  return { event, inputs: read, task: chooseTask(read, event) };
}

const head = (repo: object | null) => ({ pull_request: { head: { repo } } });

describe("mode auto", () => {
  it.each(["push", "schedule", "workflow_dispatch", "repository_dispatch"])(
    "publishes what %s brings to the default branch",
    async (name) => {
      expect((await taskOf({ name })).kind).toBe("publish");
    },
  );

  it.each([
    ["push", "refs/heads/other"],
    ["push", "refs/tags/main"],
    ["push", "refs/heads/main-2"],
    ["workflow_dispatch", "refs/heads/other"],
    ["workflow_run", "refs/heads/main"],
    ["release", "refs/tags/v1"],
    ["pull_request", "refs/pull/7/merge"],
    ["pull_request_target", "refs/heads/main"],
    ["merge_group", "refs/heads/main"],
    ["", ""],
  ])("only tries what %s brings to %s", async (name, ref) => {
    expect((await taskOf({ name, ref })).kind).toBe("dry-run");
  });

  it("publishes nothing where the event does not say which branch is the default one", async () => {
    for (const payload of ["", "no json", "[]", '{"repository": 1}', '{"repository": {"default_branch": null}}']) {
      expect((await taskOf({ name: "push", payload })).kind).toBe("dry-run");
    }
  });

  it("only builds where a fork or Dependabot has no keys, and says so", async () => {
    const event = { name: "pull_request", ref: "refs/pull/7/merge" };
    for (const repo of [{ full_name: "stranger/docs" }, null]) {
      const task = await taskOf({ ...event, payload: head(repo), inputs: {} });
      expect(task).toEqual({ kind: "build", why: expect.stringContaining("comes from a fork") });
    }
    const own = { ...event, payload: head(REPOSITORY), inputs: {} };
    await expect(taskOf(own)).rejects.toThrow("the input bucket is missing");
    expect(await taskOf({ ...own, more: { GITHUB_ACTOR: "dependabot[bot]" } })).toMatchObject({ kind: "build" });
  });
});

describe("a cache", () => {
  const main = "refs/heads/main";

  it.each([
    ["push", main, ["auto", "publish", "dry-run", "build"]],
    ["schedule", main, ["auto", "publish", "dry-run", "build"]],
    ["workflow_dispatch", main, ["auto", "publish"]],
    ["repository_dispatch", main, ["auto", "publish"]],
    ["push", "refs/heads/other", ["publish"]],
    ["push", "refs/tags/v1", []],
    // What a job on these has checked out is not known, whatever it publishes.
    ["workflow_run", main, []],
    ["issue_comment", main, []],
    ["pull_request_target", main, []],
    ["pull_request", "refs/pull/7/merge", []],
    ["merge_group", "refs/heads/gh-readonly-queue/main", []],
    ["", main, []],
  ])("of %s on %s is left in the modes %j", async (name, ref, wanted) => {
    const left: string[] = [];
    for (const mode of ["auto", "publish", "dry-run", "build"]) {
      const { event, task } = await decide({ name, ref, inputs: { ...KEYS, INPUT_MODE: mode } });
      if (leavesCache(task, event)) left.push(mode);
    }
    expect(left).toEqual(wanted);
  });

  it("is left by nobody who gets no secrets", async () => {
    const { event } = await decide({ name: "push", more: { GITHUB_ACTOR: "dependabot[bot]" } });
    expect(leavesCache({ kind: "publish" }, event)).toBe(false);
  });
});

describe("a restored cache", () => {
  const main = "refs/heads/main";
  const pull = "refs/pull/7/merge";

  it.each([
    ["push", main, ["dry-run"]],
    ["schedule", main, ["dry-run"]],
    ["workflow_dispatch", main, ["dry-run"]],
    ["push", "refs/heads/other", ["auto", "dry-run"]],
    ["pull_request", pull, ["auto", "dry-run", "build"]],
    ["pull_request_target", main, ["auto", "dry-run", "build"]],
  ])("of %s on %s is taken in the modes %j alone, of which none publishes", async (name, ref, wanted) => {
    const taken: string[] = [];
    for (const mode of ["auto", "publish", "dry-run", "build"]) {
      const { event, task, inputs } = await decide({ name, ref, inputs: { ...KEYS, INPUT_MODE: mode } });
      if (!takesCache(inputs, event)) continue;
      expect(task.kind).not.toBe("publish");
      taken.push(mode);
    }
    expect(taken).toEqual(wanted);
  });

  it("is taken by parts of pull requests alone", async () => {
    const part = { INPUT_SHARD: "1/4" };
    const { event, inputs } = await decide({ name: "push", ref: main, inputs: part });
    expect(takesCache(inputs, event)).toBe(false);
    const pulled = await decide({ name: "pull_request", ref: pull, inputs: part });
    expect(takesCache(pulled.inputs, pulled.event)).toBe(true);
  });
});

describe("other modes", () => {
  it("do what they say, whatever the event", async () => {
    const pull = { name: "pull_request", ref: "refs/pull/7/merge", payload: head(REPOSITORY) };
    for (const mode of ["publish", "dry-run", "build"]) {
      expect((await taskOf({ ...pull, inputs: { ...KEYS, INPUT_MODE: mode } })).kind).toBe(mode);
    }
    expect((await taskOf({ name: "push", inputs: { INPUT_MODE: "build" } })).kind).toBe("build");
    expect((await taskOf({ name: "push", inputs: { INPUT_SHARD: "1/4" } })).kind).toBe("part");
  });

  it("fail where keys are missing for them", async () => {
    const { INPUT_ACCESS_KEY_ID: _, ...half } = KEYS;
    await expect(taskOf({ name: "push", inputs: half })).rejects.toThrow("the input access-key-id is empty");
    const fork = { name: "pull_request", payload: head(null), inputs: { ...half, INPUT_MODE: "publish" } };
    await expect(taskOf(fork)).rejects.toThrow("this run gets no secrets");
    await expect(taskOf({ name: "push", inputs: { INPUT_BUCKET: "docs" } })).rejects.toThrow("the input account");
  });
});
