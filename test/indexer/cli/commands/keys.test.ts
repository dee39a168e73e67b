import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keysCommand } from "../../../../indexer/cli/commands/keys.ts";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { formatHex } from "../../../../src/core/bytes/encodings.ts";
import { hashKey, KEY_TEXT } from "../../../../src/surface/access/access-file.ts";
import { GROUPED, groupedFiles } from "../../../support/grouped-files.ts";
import { type CommandOutput, runCommands } from "../../../support/list-command.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

function keys(...words: readonly string[]): Promise<CommandOutput> {
  return runCommands([keysCommand], ["keys", ...words]);
}

describe("treeline keys", () => {
  it("prints a new key alone, once, and keeps its hash", async () => {
    const dir = await makeFolder();
    const { code, out, err } = await keys("add", "ci", "--index", dir);
    expect(code).toBe(0);
    const key = out.trim();
    expect(key).toMatch(KEY_TEXT);
    expect(err).not.toContain(key);
    const file = await readFile(join(dir, "access.json"), "utf8");
    expect(file).not.toContain(key.slice(12));
    expect(file).toContain(formatHex(await hashKey(key)));
    const listed = await keys("list", "--index", dir);
    expect(listed.out).toMatch(/^[0-9a-f]{8} {2}active {3}ci: all collections, no end, made /);
    expect(listed.out + listed.err).not.toContain(formatHex(await hashKey(key)));
  });

  it("prints JSON for programs, on one line", async () => {
    const dir = await makeFolder();
    const added = await keys("add", "ci", "--index", dir, "--admin", "--expires", "2100-01-01", "--json");
    const key = JSON.parse(added.out) as { id: string; key: string };
    expect(key).toMatchObject({ consumer: "ci", admin: true, expiresAt: "2100-01-01T00:00:00.000Z" });
    const revoked = await keys("revoke", key.id, "--index", dir, "--json");
    expect(JSON.parse(revoked.out)).toEqual({ revoked: [key.id] });
    expect(JSON.parse((await keys("revoke", "ci", "--index", dir, "--json")).out)).toEqual({ revoked: [] });
    const { keys: listed } = JSON.parse((await keys("list", "--index", dir, "--json")).out) as { keys: object[] };
    expect(listed).toEqual([expect.objectContaining({ id: key.id, state: "revoked" })]);
    expect(JSON.stringify(listed)).not.toContain("hash");
  });

  it("refuses collections that the index does not have, and warns of groups that stay closed", async () => {
    const dir = await makeFolder(groupedFiles());
    const index = join(dir, ".out");
    await buildCorpus({ dir, outDir: index });
    const wrong = await keys("add", "x", "--index", index, "--collections", "plnas");
    expect(wrong).toMatchObject({ code: 1, out: "" });
    expect(wrong.err).toContain("did you mean: plans");
    const half = await keys("add", "x", "--index", index, "--collections", "ledger,ledger-code,payroll,docs");
    expect(half.code).toBe(0);
    expect(half.err).toContain("does not see ledger, ledger-code, payroll: the access group finance");
    expect(half.err).toContain("payroll-code is missing");
    expect(half.err).toContain("In a private deployment");
    const whole = GROUPED.filter(({ access }) => access === "finance").flatMap(({ name }) => [name, `${name}-code`]);
    const good = await keys("add", "x", "--index", index, "--collections", whole.join(", "));
    expect(good.err).not.toContain("Warning");
    const unchecked = await keys("add", "x", "--index", await makeFolder(), "--collections", "anything");
    expect(unchecked.err).toContain("were not checked");
  });

  it("takes collections of corpora, each checked with the index of its own", async () => {
    const dir = await makeFolder({ ...groupedFiles(), "small/docs/a.md": "# A\n" });
    const index = join(dir, ".out");
    await buildCorpus({ dir: join(dir, "small"), outDir: index });
    await buildCorpus({ dir, outDir: join(index, "v2") });
    const add = (collections: string): Promise<CommandOutput> =>
      keys("add", "x", "--index", index, "--collections", collections);
    const good = await add("docs,v2/plans,v2/plans-code");
    expect(good).toMatchObject({
      code: 0,
      err: expect.stringContaining("collections docs, v2/plans, v2/plans-code") as string,
    });
    expect(good.err).not.toContain("Warning");
    expect((await add("v2/*")).err).not.toContain("Warning");
    const half = await add("v2/plans");
    expect(half.err).toContain("this key does not see v2/plans: the access group strategy");
    expect(half.err).toContain("v2/plans-code is missing");
    // Of the other index, and of none.
    expect((await add("plans")).err).toContain("the index has no collection");
    const near = await add("v2/plnas");
    expect(near).toMatchObject({ code: 1, out: "" });
    expect(near.err).toContain("the index of v2 has no collection");
    expect(near.err).toContain("did you mean: v2/plans");
    expect((await add("v3/plans")).err).toContain("no index in the corpus v3");
    expect((await add("V3/plans")).err).toContain("small letters, digits");
    expect((await add("v2/a/b")).err).toContain("takes guide, v2/guide, v2/* or *");
    expect((await add("search/plans")).err).toContain("the server has something else at that address");
    const corpus = await add("docs,v2");
    expect(corpus).toMatchObject({ code: 1, out: "" });
    expect(corpus.err).toContain('"v2" is a corpus');
    expect(corpus.err).toContain("did you mean: v2/*");
    expect(await add("*")).toMatchObject({ code: 0 });
    const { keys: listed } = JSON.parse((await keys("list", "--index", index, "--json")).out) as { keys: object[] };
    expect(listed).toContainEqual(expect.objectContaining({ collections: ["v2/*"] }));
  });

  it.each([
    [[], 2, "say what to do"],
    [["ad", "x"], 2, "say what to do"],
    [["add"], 2, "name who"],
    [["revoke"], 2, "name a key"],
    [["list", "x"], 2, "unexpected"],
    [["list", "--index", "nowhere"], 1, 'folder "nowhere" does not exist'],
    [["list", "--admin"], 2, "takes no --admin"],
    [["revoke", "x", "--expires", "1d"], 2, "takes no --expires"],
    [["add", "x", "--collections", "a,,b"], 2, "names, separated by commas"],
    [["add", "x", "--admin", "--collections", "docs"], 2, "do not go together"],
    [["add", "x", "--index", "a", "--bucket", "https://b.example/c"], 2, "not both"],
    [["add", "x", "--index", "https://b.example/c"], 2, "takes a folder"],
    [["add", "anonymous"], 1, "consumer's name"],
    [["add", "a b"], 1, "consumer's name"],
    [["add", "x", "--expires", "yesterday"], 1, "--expires"],
    [["add", "x", "--index", "/nowhere/at/all"], 1, "there is no folder"],
    [["revoke", "x", "--index", "/nowhere/at/all"], 1, "no key and no consumer"],
  ])("says of %j what is wrong", async (words, code, message) => {
    const done = await keys(...words);
    expect(done.code).toBe(code);
    expect(done.out).toBe("");
    expect(done.err).toContain(message);
  });
});
