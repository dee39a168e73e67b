/** Mistakes of a configuration that only its folder shows: told by file, line and column, with what was meant. */
import { describe, expect, it } from "vitest";
import { buildCommands } from "../../../indexer/cli/commands/build.ts";
import { type CommandOutput, runCommands } from "../../support/list-command.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

/** Builds a folder with pages in `docs` and this configuration. */
async function build(config: string): Promise<CommandOutput> {
  const dir = await makeFolder({ "docs/a.md": "# A\n", "treeline.config.json": config });
  return runCommands([buildCommands.build], ["build", dir, "--no-cache"]);
}

describe("treeline build", () => {
  it("names the line of each folder that is not there, behind a mark and with line ends of any kind", async () => {
    const { code, err } = await build(
      '\uFEFF{\r\n  "collections": [\r\n    { "name": "a", "root": "doc" },\r\n    { "name": "b", "root": "docs/a.md" },\r\n    { "name": "c" }\r\n  ]\r\n}',
    );
    expect(code).toBe(1);
    expect(err.split("\n")).toEqual([
      'treeline build: treeline.config.json:3:28: collections[0].root: folder "doc" does not exist; did you mean "docs"?',
      'treeline.config.json:4:28: collections[1].root: "docs/a.md" is a file; a collection is read from a folder',
    ]);
  });

  it("says of an include without files what it may mean, where nothing else is indexed too", async () => {
    const misspelt = await build('{"collections": [{"name": "a", "include": ["dosc/**"]}]}');
    expect(misspelt).toMatchObject({ code: 1, err: expect.stringContaining('did you mean "docs"?') });
    const bare = await build('{"collections": [{"name": "a", "include": ["docs"]}]}');
    expect(bare).toMatchObject({ code: 1, err: expect.stringContaining('is written "docs/**"') });
    const deep = await build('{"collections": [{"name": "a"}, {"name": "b", "include": ["docs/b.md"]}]}');
    expect(deep).toMatchObject({ code: 0, err: expect.stringContaining('did you mean "docs/a.md"?') });
  });

  it("warns of a collection that holds nothing", async () => {
    const { code, err } = await build(
      '{"collections": [{"name": "a"}, {"name": "b", "root": "docs", "include": ["**/*.mdx"]}]}',
    );
    expect(code).toBe(0);
    expect(err).toContain('b:: the collection holds nothing: no file in "docs" matches **/*.mdx');
  });
});
