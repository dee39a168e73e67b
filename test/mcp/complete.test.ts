import { describe, expect, it } from "vitest";
import { completeArgument } from "../../src/mcp/complete.ts";
import { services as handbook } from "./tools/handbook.ts";
import { services as workshop } from "./tools/workshop.ts";

describe("completion of an argument", () => {
  it("gives names of symbols, members behind their container", async () => {
    const { completion } = await completeArgument({ name: "symbol", value: "Store." }, workshop);
    expect(completion.values).toContain("Store.find");
    expect(new Set(completion.values).size).toBe(completion.values.length);
    expect(completion).toMatchObject({ hasMore: false });
    expect((await completeArgument({ name: "query", value: "formatL" }, workshop)).completion.values).toEqual([
      "formatLamp",
    ]);
  });

  it("gives nothing for arguments that name no symbol, for nothing typed, and where no code is indexed", async () => {
    const nothing = { completion: { values: [], total: 0, hasMore: false } };
    expect(await completeArgument({ name: "limit", value: "1" }, workshop)).toEqual(nothing);
    expect(await completeArgument({ name: "symbol", value: " " }, workshop)).toEqual(nothing);
    expect(await completeArgument({ name: "symbol", value: "zzzz" }, workshop)).toEqual(nothing);
    expect(await completeArgument({ name: "symbol", value: "a" }, handbook)).toEqual(nothing);
  });

  it("gives nothing, and tells the operator, when the index cannot be read", async () => {
    const told: string[] = [];
    const broken = {
      ...workshop,
      withReader: () => Promise.reject(new Error("no bucket")),
      report: (_: unknown, where: string) => void told.push(where),
    };
    expect((await completeArgument({ name: "symbol", value: "a" }, broken)).completion.values).toEqual([]);
    expect(told).toEqual(["completion/complete"]);
  });
});
