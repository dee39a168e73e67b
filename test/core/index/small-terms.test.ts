/** Words of a small newer level come with the locator, once for all who share a memory. */
import { expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { readWithResident } from "../../../src/core/index/resident.ts";
import { buildMarkedOnBase } from "../../support/marked-on-base.ts";

it.each(["whole", "shown"] as const)("words of a newer level, for a reader that keeps tables %s", async (residency) => {
  const { index, source } = await (await buildMarkedOnBase("lark")).open("all");
  const reader = new IndexReader(index, "all", { residency });
  await readWithResident(reader, ["locator"]);
  const newer = reader.shards.filter(({ root }) => root.newer === true);
  expect(newer.length).toBe(2);
  const before = source.reads.length;
  await reader.read(newer.map((shard) => ({ shard: shard.index, table: "terms", keys: [keyOf("handler")] })));
  expect(source.reads.length > before).toBe(residency === "shown");
});
