import { describe, expect, it } from "vitest";
import {
  again,
  answered,
  closed,
  counted,
  entered,
  failed,
  filtered,
  led,
  moved,
  nearFound,
  pointed,
  type Question,
  type QuestionState,
  START,
  slow,
  typed,
  wantMore,
} from "../../../src/web/box/question-state.ts";
import type { Found, FoundPage } from "../../../src/web/client/search-client.ts";

const NOW = 1_000_000;
const pageOf = (id: string): FoundPage => ({
  ...{ id, url: `/${id}`, title: id, description: "", collection: "docs", path: id, meta: {}, facets: {} },
  ...{ score: 1, sections: [] },
});
const answer = (ids: string, changes: Partial<Found> = {}): Found => {
  const pages = ids === "" ? [] : ids.split(" ").map(pageOf);
  return {
    ...{ query: "", total: pages.length, pages, facetCounts: {}, corrections: [], missingWords: [] },
    nextOffset: undefined,
    ...changes,
  };
};
const type = (state: QuestionState, text: string, now = NOW): QuestionState =>
  typed(state, { text, isCut: false, collections: [] }, now);
const asked = (state: QuestionState): Question => {
  if (state.asking === undefined) throw new Error("nothing is asked");
  return state.asking.question;
};
/** The answer to what is asked. */
const reply = (state: QuestionState, ids: string, changes: Partial<Found> = {}): QuestionState =>
  answered(state, answer(ids, changes), asked(state));
const refuse = (state: QuestionState, now = NOW, retryAfter?: number): QuestionState =>
  failed(state, { problem: "too-many", retryAfter }, asked(state), now);
const ids = ({ shown }: QuestionState): string | undefined => shown?.found.pages.map(({ id }) => id).join(" ");
const choose = (state: QuestionState, filters: Question["filters"]): QuestionState => filtered(state, filters, [], NOW);
const widerOf = (state: QuestionState, key: string) => [...(state.wider.get(key)?.counts ?? [])];

describe("titles that come near", () => {
  const near = [{ url: "/a", title: "A", kind: "title", documentId: "docs:a" }] as const;

  const nothing = reply(type(START, "qqq"), "");

  it("belong to the answer that found nothing, and to no other", () => {
    const shown = nearFound(nothing, near, nothing.completing as Question);
    expect([shown.shown?.near, shown.completing]).toEqual([near, undefined]);
    expect(reply(type(shown, "foo"), "a").shown?.near).toBeUndefined();
    const other = reply(type(nothing, "www"), "");
    expect(nearFound(other, near, nothing.completing as Question)).toBe(other);
    const shut = closed(nothing);
    expect(nearFound(shut, near, nothing.completing as Question)).toBe(shut);
  });

  it("are looked for where nothing was found, once, and not where a filter or a page number left nothing", () => {
    expect(nothing.completing).toBe(nothing.shown?.question);
    expect(type(nearFound(nothing, [], nothing.completing as Question), "qqq").completing).toBeUndefined();
    expect(type(closed(nothing), "qqq").completing).toBe(nothing.completing);
    expect(reply(choose(nothing, { type: ["guide"] }), "").completing).toBeUndefined();
    expect(reply(type(START, "foo"), "a").completing).toBeUndefined();
  });

  it("are asked for too often like anything else: then nothing is, until it is time", () => {
    const refused = failed(nothing, { problem: "too-many", retryAfter: 30 }, nothing.completing as Question, NOW);
    expect([refused.completing, refused.failure, refused.shown]).toEqual([undefined, undefined, nothing.shown]);
    expect(type(refused, "foo", NOW + 29_999)).toMatchObject({ asking: undefined, failure: { problem: "too-many" } });
    expect(asked(type(refused, "foo", NOW + 30_000)).query).toBe("foo");
    expect(type(closed(refused), "qqq", NOW + 29_999).completing).toBeUndefined();
    expect(type(closed(refused), "qqq", NOW + 30_000).completing).toBe(nothing.completing);
  });
});

describe("what is typed", () => {
  it("is asked, and its rows stay until others take their place", () => {
    const first = reply(type(START, "foo"), "a b");
    expect([ids(first), first.asking]).toEqual(["a b", undefined]);
    const second = type(first, "bar");
    expect([ids(second), asked(second).query]).toEqual(["a b", "bar"]);
    expect(ids(reply(second, "c"))).toBe("c");
  });

  it("is not asked again for blanks around it, asked or answered", () => {
    const asking = type(START, "foo");
    expect(type(asking, " foo ").asking).toBe(asking.asking);
    expect(type(reply(asking, "a"), "foo  ").asking).toBeUndefined();
  });

  it("is not answered by what comes of another question", () => {
    const before = type(START, "foo");
    const now = type(before, "bar");
    expect(answered(now, answer("a"), asked(before))).toBe(now);
    expect(failed(now, { problem: "failed" }, asked(before), NOW)).toBe(now);
  });

  it("is shown as before when a letter was typed and taken back", () => {
    const whole = reply(type(START, "foo"), "a b");
    const back = type(slow(type(whole, "fooo")), "foo");
    expect([back.asking, back.isSlow, back.shown]).toEqual([undefined, false, whole.shown]);
    // What is brief still waits for its rest.
    const brief = reply(type(START, "foo"), "a b", { isBrief: true });
    expect(type(type(brief, "fooo"), "foo").completing).toBe(brief.shown?.question);
    // Enter was for the other text.
    expect(type(entered(type(whole, "fooo"), false), "foo").following).toBeUndefined();
    expect(asked(type(choose(whole, { type: ["x"] }), "fooo")).filters).toEqual({ type: ["x"] });
  });

  it("brings recent searches back when it is taken out", () => {
    const state = type(reply(type(START, "foo"), "a", { facetCounts: { type: { a: 1, b: 2 } } }), "  ");
    expect([state.text, state.asking, state.shown, state.counts.size]).toEqual(["", undefined, undefined, 0]);
  });
});

describe("a dialog that is closed", () => {
  const narrowed = choose(reply(type(START, "foo"), "a b"), { type: ["guide"] });

  it("asks, when it opens, what had no answer yet", () => {
    const again = type(closed(narrowed), "foo");
    expect(asked(again).filters).toEqual({ type: ["guide"] });
  });

  it("asks nothing where the answer is there", () => {
    const again = type(closed(reply(narrowed, "a")), "foo");
    expect([again.asking, ids(again)]).toEqual([undefined, "a"]);
  });

  it("asks anew what failed", () => {
    const failure = failed(type(START, "foo"), { problem: "failed" }, asked(type(START, "foo")), NOW);
    expect(failure.failure).toBeUndefined();
    const asking = type(START, "foo");
    const state = closed(failed(asking, { problem: "failed" }, asked(asking), NOW));
    expect(asked(type(state, "foo")).query).toBe("foo");
  });

  it("is neither slow, nor does it follow anything or ask for more", () => {
    const more = slow(wantMore(reply(type(START, "foo"), "a", { nextOffset: 1 }), NOW));
    const state = closed(entered(more, false));
    expect([state.isSlow, state.following, state.asking, ids(state)]).toEqual([false, undefined, undefined, "a"]);
    expect(wantMore(state, NOW).asking).toBeDefined();
  });
});

describe("more pages", () => {
  const first = reply(type(START, "foo"), "a b", { nextOffset: 2, total: 4 });

  it("come below the others, none of them twice", () => {
    const state = reply(wantMore(first, NOW), "b c", { nextOffset: 4 });
    expect([ids(state), state.shown?.found.nextOffset]).toEqual(["a b c", 4]);
  });

  it("end where nothing new comes", () => {
    expect(reply(wantMore(first, NOW), "a b", { nextOffset: 4 }).shown?.found.nextOffset).toBeUndefined();
  });

  it("leave the others where they fail, and can be asked for again", () => {
    const asking = slow(wantMore(first, NOW));
    const state = failed(asking, { problem: "failed" }, asked(asking), NOW);
    expect([ids(state), state.isSlow, state.failure?.problem]).toEqual(["a b", false, "failed"]);
    expect(asked(again(state, NOW)).offset).toBe(2);
  });

  it("are none of rows that are about to be replaced", () => {
    const next = type(first, "bar");
    expect(wantMore(next, NOW)).toBe(next);
  });
});

describe("counts", () => {
  const COUNTS = { type: { guide: 10, api: 5 }, version: { "1": 9, "2": 6 } };
  const first = reply(type(START, "foo"), "a", { facetCounts: COUNTS });
  const narrowed = reply(choose(first, { type: ["guide"] }), "a", { facetCounts: { type: { guide: 10 } } });

  it("of a chosen key are those from before, while the same is asked", () => {
    expect(widerOf(narrowed, "type")).toEqual([
      ["guide", 10],
      ["api", 5],
    ]);
  });

  it("of a chosen key are not known any more for other words, or with other keys chosen", () => {
    const forgotten = [
      ["guide", undefined],
      ["api", undefined],
    ];
    expect(widerOf(reply(type(narrowed, "bar"), "b"), "type")).toEqual(forgotten);
    expect(widerOf(reply(choose(narrowed, { type: ["guide"], version: ["2"] }), "b"), "type")).toEqual(forgotten);
  });

  it("that come later are taken for the answer that is shown alone", () => {
    const asking = type(first, "bar");
    const question = asked(asking);
    const shown = answered(asking, answer("b", { laterCounts: Promise.resolve({}) }), question);
    // Until then none are shown: those from before are of another answer.
    expect(shown.counts.size).toBe(0);
    expect(counted(shown, COUNTS, question).counts.get("type")?.get("guide")).toBe(10);
    const other = reply(type(shown, "baz"), "c");
    expect(counted(other, COUNTS, question)).toBe(other);
  });

  it("that come later keep their place while an answer is completed or continued, and until another one comes", () => {
    const laterCounts = Promise.resolve({});
    const late = reply(type(START, "foo"), "a", { isBrief: true, laterCounts, nextOffset: 1 });
    const whole = answered(late, answer("a b", { facetCounts: COUNTS, nextOffset: 2 }), late.completing as Question);
    expect([late.isLate, whole.isLate, whole.shown?.found.facetCounts]).toEqual([true, true, {}]);
    expect(reply(wantMore(whole, NOW), "c", { facetCounts: COUNTS }).isLate).toBe(true);
    expect(reply(type(whole, "bar"), "b", { facetCounts: COUNTS }).isLate).toBe(false);
  });

  it("may be missing from a client of the page's own", () => {
    const odd = { facetCounts: null } as unknown as Partial<Found>;
    expect(reply(type(START, "foo"), "a", odd).counts.size).toBe(0);
  });
});

describe("the Enter key", () => {
  it("before the answer follows the best row then, in a tab where keys say so", () => {
    const asking = type(START, "foo");
    expect(reply(entered(asking, false), "a").following).toBe("here");
    expect(reply(entered(asking, true), "a").following).toBe("tab");
    expect(led(reply(entered(asking, true), "a")).following).toBeUndefined();
  });

  it("follows nothing later once another row was chosen, or something else typed", () => {
    const waiting = entered(type(reply(type(START, "foo"), "a b"), "bar"), false);
    expect(moved(waiting).following).toBeUndefined();
    expect(entered(moved(waiting), false).following).toBeUndefined();
    expect(type(waiting, "baz").following).toBeUndefined();
  });

  it("follows nothing later where there is an answer, or none comes", () => {
    const shown = reply(type(START, "foo"), "a");
    expect(entered(shown, false)).toBe(shown);
    const waiting = entered(type(START, "foo"), false);
    expect(failed(waiting, { problem: "failed" }, asked(waiting), NOW).following).toBeUndefined();
  });
});

describe("a server that was asked too much", () => {
  it("is not asked before the time that it says, whatever is typed, chosen, pressed or opened", () => {
    const state = refuse(type(START, "foo"), NOW, 30);
    const soon = NOW + 29_999;
    const tries = [
      again(state, soon),
      type(state, "bar", soon),
      filtered(state, { type: ["guide"] }, [], soon),
      type(closed(state), "foo", soon),
    ];
    expect(tries.map(({ asking }) => asking)).toEqual([undefined, undefined, undefined, undefined]);
    expect(tries.map(({ failure }) => failure?.problem)).toEqual(Array(4).fill("too-many"));
    // What was typed meanwhile is asked then.
    expect(asked(again(type(state, "bar", soon), NOW + 30_000)).query).toBe("bar");
  });

  it("is left alone for five seconds where it says nothing that can be", () => {
    for (const odd of [undefined, Number.NaN, -3, 0]) {
      expect(refuse(type(START, "foo"), NOW, odd).quietUntil).toBe(NOW + 5_000);
    }
  });

  it("leaves rows alone of which more was asked for", () => {
    const first = reply(type(START, "foo"), "a", { nextOffset: 1 });
    const state = refuse(wantMore(first, NOW));
    expect(ids(state)).toBe("a");
    expect(ids(again(state, NOW + 1))).toBe("a");
    expect(type(state, "bar", NOW + 1).shown).toBeUndefined();
  });
});

describe("a brief answer", () => {
  const brief = (): QuestionState => reply(type(START, "foo"), "a b", { isBrief: true });
  const complete = (state: QuestionState, pages: string): QuestionState =>
    answered(state, answer(pages), state.completing as Question);

  it("is shown, and completed by the whole one", () => {
    const first = brief();
    expect([ids(first), first.completing, first.asking]).toEqual(["a b", first.shown?.question, undefined]);
    const whole = complete(moved(first), "a b c");
    expect([ids(whole), whole.completing, whole.isMoved]).toEqual(["a b c", undefined, true]);
    expect(whole.shown?.question).toBe(first.shown?.question);
  });

  it("is not completed when it is typed over or filtered", () => {
    const first = brief();
    for (const next of [type(first, "fooo"), choose(first, { type: ["x"] })]) {
      expect(next.completing).toBeUndefined();
      expect(answered(next, answer("a b c"), first.completing as Question)).toBe(next);
    }
  });

  it("is not completed below who points at its rows, until the dialog opens again", () => {
    const first = brief();
    const held = pointed(first);
    expect([held.completing, ids(held)]).toEqual([undefined, "a b"]);
    expect(answered(held, answer("a b c"), first.completing as Question)).toBe(held);
    expect(pointed(held)).toBe(held);
    expect(type(closed(held), "foo").completing).toBe(first.shown?.question);
  });

  it("stays as it is where the rest does not come, and is asked for its rest when the dialog opens again", () => {
    const first = brief();
    const without = failed(first, { problem: "failed" }, first.completing as Question, NOW);
    expect([ids(without), without.completing, without.failure]).toEqual(["a b", undefined, undefined]);
    const shut = closed(first);
    expect(shut.completing).toBeUndefined();
    expect(type(shut, "foo").completing).toBe(first.shown?.question);
    expect(type(complete(first, "a b c"), "foo").completing).toBeUndefined();
  });
});
