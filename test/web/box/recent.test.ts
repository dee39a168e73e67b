import { describe, expect, it } from "vitest";
import { addRecent, dropRecent, listRecent, type Store } from "../../../src/web/box/panel.ts";

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
    for (const query of ["a", "b", "A ", "c", "d", "e", "f", "g", "h", "i"]) addRecent(store, query);
    expect(listRecent(store)).toEqual(["i", "h", "g", "f", "e", "d", "c", "A"]);
  });

  it("are forgotten one by one and all at once", () => {
    const store = makeStore();
    for (const query of ["a", "b", "c"]) addRecent(store, query);
    expect(dropRecent(store, "b")).toEqual(["c", "a"]);
    expect(dropRecent(store)).toEqual([]);
    expect(listRecent(store)).toEqual([]);
  });

  it("leave out nothing-at-all and what was pasted", () => {
    const store = makeStore();
    addRecent(store, "   ");
    addRecent(store, "x".repeat(201));
    expect(listRecent(store)).toEqual([]);
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
    for (const store of stores) expect(listRecent(store)).toEqual([]);
    expect(addRecent(REFUSED, "a")).toEqual([]);
    expect(dropRecent(REFUSED)).toEqual([]);
  });

  it("are those of one source, where sites share a host", () => {
    const values = new Map<string, string>();
    const [one, other] = ["/one/search/", "/other/search/"].map((path) => makeStore(undefined, values, path)) as [
      Store,
      Store,
    ];
    addRecent(one, "a");
    addRecent(other, "b");
    expect([listRecent(one), listRecent(other)]).toEqual([["a"], ["b"]]);
  });
});
