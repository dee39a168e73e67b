import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/web/box/make.ts";
import { recentOf } from "../../../src/web/box/panel.ts";

const SOURCE = "https://example.org/search/";

/** A store in memory. */
function makeStore(kept?: string, values = new Map<string, string>(), source = SOURCE): Store {
  if (kept !== undefined) values.set(`treeline-search ${source}`, kept);
  return {
    open: () => ({
      getItem: (name) => values.get(name) ?? null,
      setItem: (name, text) => {
        values.set(name, text);
      },
    }),
    source: () => source,
  };
}

const refuse = (): never => {
  throw new Error("not allowed here");
};
const REFUSED: Store = { open: refuse, source: () => "" };

describe("recent searches", () => {
  it("are kept newest first, each once, eight at most", () => {
    const store = makeStore();
    for (const query of ["a", "b", "A ", "c", "d", "e", "f", "g", "h", "i"]) recentOf(store).add(query);
    expect(recentOf(store).list()).toEqual(["i", "h", "g", "f", "e", "d", "c", "A"]);
  });

  it("are forgotten one by one and all at once", () => {
    const store = makeStore();
    for (const query of ["a", "b", "c"]) recentOf(store).add(query);
    expect(recentOf(store).drop("b")).toEqual(["c", "a"]);
    expect(recentOf(store).drop()).toEqual([]);
    expect(recentOf(store).list()).toEqual([]);
  });

  it("leave out nothing-at-all and what was pasted", () => {
    const store = makeStore();
    recentOf(store).add("   ");
    recentOf(store).add("x".repeat(201));
    expect(recentOf(store).list()).toEqual([]);
  });

  it("are none where the browser keeps nothing, and where something else was kept", () => {
    const stores: Store[] = [
      REFUSED,
      { open: () => ({ getItem: refuse, setItem: refuse }), source: () => "" },
      makeStore("{"),
      makeStore('{"0":"a"}'),
      makeStore("null"),
      makeStore('[1,null,{"a":1}]'),
    ];
    for (const store of stores) expect(recentOf(store).list()).toEqual([]);
    expect(recentOf(REFUSED).add("a")).toEqual([]);
    expect(recentOf(REFUSED).drop()).toEqual([]);
  });

  it("are those of one source, where sites share a host", () => {
    const values = new Map<string, string>();
    const [one, other] = ["/one/search/", "/other/search/"].map((path) => makeStore(undefined, values, path)) as [
      Store,
      Store,
    ];
    recentOf(one).add("a");
    recentOf(other).add("b");
    expect([recentOf(one).list(), recentOf(other).list()]).toEqual([["a"], ["b"]]);
  });
});
