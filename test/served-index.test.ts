import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { expect, it } from "vitest";
import { buildServedIndex, SERVED_INDEX } from "./support/served-index.ts";

it("the index of the Worker tests is what the indexer makes of their pages (UPDATE_FIXTURES=1 rewrites it)", async () => {
  const built = await buildServedIndex();
  if (process.env["UPDATE_FIXTURES"] === "1" || !existsSync(SERVED_INDEX)) {
    await writeFile(SERVED_INDEX, `${JSON.stringify(built, null, 1)}\n`);
  }
  expect(JSON.parse(await readFile(SERVED_INDEX, "utf8"))).toEqual(built);
});
