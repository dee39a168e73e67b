import { join } from "node:path";
import { expect, it } from "vitest";
import { searchCommands } from "../../../../indexer/cli/commands/search.ts";
import { runCommands } from "../../../support/list-command.ts";
import { makeCorpus } from "../../../support/small-corpus.ts";

it("prints the terms of an index that has pairs among them", async () => {
  const pages = Array.from({ length: 80 }, (_, at) => [
    `p${at}.md`,
    `# Page ${at}\n\nThe access control list of alpha beta.\n`,
  ]);
  const corpus = await makeCorpus({
    ...Object.fromEntries(pages),
    "acl.md": "# ACL\n\nAn access control list (ACL) is a list. The ACL is short.\n",
  });
  await corpus.build("one");
  const { reader } = await corpus.open("one");
  const { code, out, err } = await runCommands(
    [searchCommands.dump],
    ["dump", "terms", "--index", join(corpus.dir, "indexes", "one")],
  );
  expect([code, err]).toEqual([0, ""]);
  const lines = out.split("\n").map((line) => JSON.parse(line) as { term: string; frequencies: { documents: number } });
  expect(lines.find(({ term }) => term === "alpha")?.frequencies.documents).toBe(80);
  expect(lines.find(({ term }) => term === "acl")?.frequencies.documents).toBe(1);
  expect(lines).toHaveLength(reader.shards[0]?.root.terms ?? 0);
});
