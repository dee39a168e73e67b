/** Keys of caches: of one corpus, one version of the code and one platform, a branch's own first. */
import { describe, expect, it } from "vitest";
import type { ActionEvent } from "../../../../indexer/cli/action/inputs.ts";
import { planCache } from "../../../../indexer/cli/action/prepare-run.ts";

const facts = { platform: "Linux-X64", code: "digest", run: "17-1" };
const event = (ref: string, baseBranch = ""): ActionEvent => ({
  ...{ name: "push", ref, baseBranch, isBranch: true, isDefaultBranch: false, isPullRequest: baseBranch !== "" },
  withoutSecrets: undefined,
});
const inputs = { root: "docs", config: "", corpus: "", shard: undefined };
const main = planCache(inputs, event("refs/heads/main"), facts);

describe("a plan of caches", () => {
  it("lets a pull request find the cache of the branch that it is for", () => {
    const { key, restoreKeys } = planCache(inputs, event("refs/pull/7/merge", "main"), { ...facts, run: "18-1" });
    expect(main.key).not.toBe(key);
    const first = restoreKeys.findIndex((prefix) => main.key.startsWith(prefix));
    expect(first).toBe(1);
    expect(restoreKeys).toHaveLength(3);
  });

  it("lets nothing find the cache of another folder, configuration, corpus, part, version or platform", () => {
    const others = [
      planCache({ ...inputs, root: "other" }, event("refs/heads/main"), facts),
      planCache({ ...inputs, config: "v2.json" }, event("refs/heads/main"), facts),
      planCache({ ...inputs, corpus: "v2" }, event("refs/heads/main"), facts),
      planCache({ ...inputs, shard: { index: 1, of: 2 } }, event("refs/heads/main"), facts),
      planCache(inputs, event("refs/heads/main"), { ...facts, code: "another" }),
      planCache(inputs, event("refs/heads/main"), { ...facts, platform: "Windows-X64" }),
    ];
    for (const { restoreKeys } of others) {
      expect(restoreKeys.filter((prefix) => main.key.startsWith(prefix))).toEqual([]);
    }
  });

  it("keeps keys to what the cache takes", () => {
    const { key } = planCache(inputs, event(`refs/heads/a,b ${"x".repeat(400)}`), facts);
    expect(key).toMatch(/^[A-Za-z0-9._/-]{1,512}$/);
  });

  it("names folders of the workspace, and none that would be a pattern", () => {
    expect(main.paths).toEqual(["docs/.treeline/cache", "docs/.treeline/index"]);
    expect(planCache({ ...inputs, root: "." }, event("a"), facts).paths).toEqual([
      ".treeline/cache",
      ".treeline/index",
    ]);
    expect(planCache({ ...inputs, root: "docs[old]" }, event("a"), facts).paths).toEqual([]);
    expect(planCache({ ...inputs, shard: { index: 1, of: 2 } }, event("a"), facts).paths).toEqual(["treeline-part"]);
  });
});
