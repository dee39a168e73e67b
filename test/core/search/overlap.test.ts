import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSharedText, measureOverlap, prepareText } from "../../../src/core/search/similar.ts";

const prepare = (text: string) => prepareText(text, true);
const similarity = (draft: string, section: string, isWhole = true): number =>
  measureOverlap(prepare(draft), prepare(section), isWhole).similarity;

/** Forty different words: more runs of three than a section needs to count in full. */
const SECTION = Array.from({ length: 40 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}${at}x`).join(" ");
const OTHER = Array.from({ length: 400 }, (_, at) => `strange${at}y`).join(" ");

describe("measureOverlap", () => {
  it("gives the share of the draft's pairs of words that the section has", () => {
    // Pairs of the draft: one two, two three, three four, four five. The section has the first two.
    expect(similarity("one two three four five", "zero one two three six", false)).toBe(0.5);
  });

  it("gives the share of the section's runs of three that a longer draft has, of thirty at least", () => {
    expect(similarity(`${OTHER} ${SECTION} ${OTHER}`, SECTION)).toBe(1);
    // Three runs of three, measured as thirty; five words of 805 are next to nothing of the draft.
    expect(similarity(`${OTHER} one two three four five ${OTHER}`, "one two three four five")).toBe(0.1);
  });

  it("does not look inside the draft for a part of a section", () => {
    expect(similarity(`${OTHER} ${SECTION}`, SECTION, false)).toBeLessThan(0.15);
  });

  it("compares stems, and leaves out markup and frontmatter", () => {
    expect(
      similarity(
        "---\ntitle: x\n---\n# The *Lamps*\n\n- lit [one](https://example.org/a/b) by `two`",
        "the lamp lit one by two",
      ),
    ).toBe(1);
  });

  it("is .7 or more for every tenth word changed, little for the same in other words, less for another subject", () => {
    const lamp =
      "Trim the wick of the brass lamp at dusk, pour whale oil up to the mark on the glass, light it with a taper and " +
      "shield the flame from the wind until it burns without smoke.";
    let at = 0;
    const edited = lamp.replace(/\w+/g, (word) => (++at % 10 === 0 ? "changed" : word));
    expect(similarity(edited, lamp)).toBeGreaterThanOrEqual(0.7);
    const inOtherWords =
      "When night falls, cut back the cotton of the lantern and fill its tank with fuel as far as the line. Then set fire " +
      "to it, and keep draughts away as long as it is sooty.";
    expect(similarity(inOtherWords, lamp)).toBeLessThan(0.35);
    const rope = "Twist the rope from hempen yarns, soak it in tar and coil it below the deck, away from the rain.";
    expect(similarity(rope, lamp)).toBeLessThan(0.1);
  });

  it("does not take the same words in another order for the same text", () => {
    const words = SECTION.split(" ");
    const shuffled = [...words.filter((_, at) => at % 2 === 0), ...words.filter((_, at) => at % 2 === 1)].join(" ");
    expect(similarity(shuffled, SECTION)).toBe(0);
  });

  it("tells a copy from a text that holds the draft and more", () => {
    const draft = prepare(SECTION);
    const longer = measureOverlap(draft, prepare(`${SECTION} ${OTHER}`), true);
    const copy = measureOverlap(draft, prepare(SECTION), true);
    expect([longer.similarity, copy.similarity]).toEqual([1, 1]);
    expect(longer.resemblance).toBeLessThan(copy.resemblance);
    expect(copy.resemblance).toBe(1);
  });

  it("is 1 for a text and itself, and never outside of 0 and 1", () => {
    const texts = fc.array(fc.constantFrom("alpha", "beta", "the", "and", "`code`", "日本語", "a.b", "\n"), {
      minLength: 2,
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, texts, (some, others) => {
        const [draft, section] = [prepare(some.join(" ")), prepare(others.join(" "))];
        const { similarity: value, resemblance } = measureOverlap(draft, section, true);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(resemblance).toBeLessThanOrEqual(1);
        if (draft.pairs.size > 0) expect(measureOverlap(draft, draft, true).similarity).toBe(1);
      }),
    );
  });

  it("is 0 for texts without words", () => {
    expect(similarity("", "")).toBe(0);
    expect(similarity("one two", "")).toBe(0);
    expect(similarity("", "one two")).toBe(0);
  });
});

describe("findSharedText", () => {
  const shared = (draft: string, section: string): string => findSharedText(prepare(draft), prepare(section));

  it("is the longest stretch of the section that stands in the draft", () => {
    expect(shared("we light the brass lamp at dusk", "Never mind. Light the *brass* lamp, at noon")).toBe(
      "Light the brass lamp, at",
    );
  });

  it("is empty where no two words follow each other in both", () => {
    expect(shared("one two", "two one")).toBe("");
    expect(shared("", "one")).toBe("");
  });
});
