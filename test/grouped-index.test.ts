import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { projectRoot } from "./support/environment.ts";
import { GROUPED, groupedFiles } from "./support/grouped-files.ts";
import { buildFixtureIndex } from "./support/served-index.ts";
import { makeFolder } from "./support/temporary-folder.ts";

const INDEX = join(projectRoot, "test", "fixtures", "grouped-index.json");

it("the index of several access groups is what the indexer makes of their files (UPDATE_FIXTURES=1 rewrites it)", async () => {
  const built = await buildFixtureIndex(await makeFolder(groupedFiles(GROUPED, false)));
  if (process.env["UPDATE_FIXTURES"] === "1" || !existsSync(INDEX)) {
    await writeFile(INDEX, `${JSON.stringify(built, null, 1)}\n`);
  }
  expect(JSON.parse(await readFile(INDEX, "utf8"))).toEqual(built);
});
