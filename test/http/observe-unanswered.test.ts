import { describe, expect, it } from "vitest";
import { observeUnanswered } from "../../src/http/insights.ts";
import type { InsightEntry } from "../../src/surface/insights.ts";

/** Asks a question that finds nothing: what was counted, what was reported, and how much work went on behind the answer. */
async function ask(query: string, headers: Record<string, string> = {}, fails = false) {
  const counted: InsightEntry[] = [];
  const reported: string[] = [];
  const work: Promise<void>[] = [];
  const object = {
    count: async (entries: readonly InsightEntry[]) => {
      if (fails) throw new Error("the object is away");
      counted.push(...entries);
    },
    read: async () => ({ since: "", queries: [] }),
    ping: async () => "ok",
  };
  const asked = {
    headers: new Headers(headers),
    caller: "key:docs",
    waitUntil: (one: Promise<void>) => work.push(one),
  };
  const observe = observeUnanswered({ INSIGHTS: { getByName: () => object } }, "", asked, (_, where) =>
    reported.push(where),
  );
  observe?.({ query, kind: "nothing" });
  await Promise.all(work);
  return { counted, reported, work: work.length };
}

describe("observeUnanswered", () => {
  it("counts a question behind its answer", async () => {
    expect(await ask("How to Install")).toEqual({
      counted: [{ query: "how to install", kind: "nothing", caller: "key:docs" }],
      reported: [],
      work: 1,
    });
  });

  it.each([{ DNT: "1" }, { "Sec-GPC": "1" }])("takes nothing of callers who send %j", async (headers) => {
    expect(await ask("install", headers as Record<string, string>)).toEqual({ counted: [], reported: [], work: 0 });
  });

  it("drops what may be private", async () => {
    expect(await ask("jane@example.com")).toEqual({ counted: [], reported: [], work: 0 });
  });

  it("tells the operator, and nobody else, when the object fails", async () => {
    expect(await ask("install", {}, true)).toEqual({ counted: [], reported: ["insights"], work: 1 });
  });
});
