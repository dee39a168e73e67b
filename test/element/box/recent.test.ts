import { describe, expect, it } from "vitest";
import { addRecent, dropRecent, listRecent, type Store } from "../../../src/element/box/recent.ts";

/** A store in memory. */
function makeStore(kept?: string): Store {
  let value = kept ?? null;
  return () => ({
    getItem: () => value,
    setItem: (_name, text) => {
      value = text;
    },
  });
}

const refuse = (): never => {
  throw new Error("not allowed here");
};

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
      refuse,
      () => ({ getItem: refuse, setItem: refuse }),
      makeStore("{"),
      makeStore('{"0":"a"}'),
      makeStore("null"),
      makeStore('[1,null,{"a":1}]'),
    ];
    for (const store of stores) expect(listRecent(store)).toEqual([]);
    expect(addRecent(refuse, "a")).toEqual([]);
    expect(dropRecent(refuse)).toEqual([]);
  });
});
