import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { buildFixtureIndex, FIXTURE_INDEXES } from "./support/served-index.ts";

const CASES = FIXTURE_INDEXES.map(({ pages, index }) => ({ name: basename(index), pages, index }));

it.each(CASES)(
  "$name is what the indexer makes of its pages (UPDATE_FIXTURES=1 rewrites it)",
  async ({ pages, index }) => {
    const built = await buildFixtureIndex(pages);
    if (process.env["UPDATE_FIXTURES"] === "1" || !existsSync(index)) {
      await writeFile(index, `${JSON.stringify(built, null, 1)}\n`);
    }
    expect(JSON.parse(await readFile(index, "utf8"))).toEqual(built);
  },
);
