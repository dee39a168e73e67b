import { describe, expect, it } from "vitest";
import { type CorporaServices, listPublished } from "../../src/http/corpora.ts";
import { ANONYMOUS } from "../../src/surface/access/caller.ts";

describe("the corpora of a deployment", () => {
  it("are looked at as far as they are shown", async () => {
    const looked: (readonly string[])[] = [];
    const names = Array.from({ length: 500 }, (_, at) => `v${at}`);
    const services: CorporaServices = {
      list: {
        names: async () => names,
        published: async (some: readonly string[]) => {
          looked.push(some);
          return some.filter((name) => name !== "").map((name) => ({ name, publishedAt: "" }));
        },
      } as unknown as CorporaServices["list"],
      ...{ caller: ANONYMOUS, isShared: true, now: 0, report: () => undefined },
    };
    expect(await listPublished(services, 52)).toHaveLength(51);
    expect(await listPublished(services)).toHaveLength(500);
    expect(looked.map(({ length }) => length)).toEqual([52, 501]);
  });
});
