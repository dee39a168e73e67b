import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { loadOutline, readSections } from "../../../src/core/docs/documents.ts";
import { InputError } from "../../../src/core/errors.ts";
import { findSimilar } from "../../../src/core/search/similar.ts";
import { type BuiltIndex, buildCollections, buildPages, type Pages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { makeLargeCorpus } from "../../support/small-corpora.ts";

const ROPE = "A hempen rope is twisted from yarns, soaked in tar and coiled below the deck against the rain.";
const LAMP = "Trim the wick of the brass lamp at dusk, pour whale oil to the mark and shield the flame from wind.";

type SimilarRequest = Parameters<typeof findSimilar>[1];

/** Reads of terms and of blocks. */
const MAX_TERMS = 24;
const MAX_BLOCKS = 48;

function ask(content: string, changes: Partial<SimilarRequest> = {}): SimilarRequest {
  return { content, limit: 5, threshold: 0.35, collection: undefined, ...changes };
}

/** The text with every tenth word replaced. */
function edit(text: string): string {
  let at = 0;
  return text.replace(/\w+/g, (word) => (++at % 10 === 0 ? `changed${at}` : word));
}

describe("findSimilar", () => {
  let built: BuiltIndex;

  beforeAll(async () => {
    built = await buildCollections([
      {
        name: "docs",
        pages: {
          "deck.md": `# Deck\n\nWhat is on deck.\n\n## Rope\n\n${ROPE}\n\n## Lamp\n\n${LAMP}\n`,
          "copy.md": `# Copy\n\n## Lamp again\n\n${LAMP} And then some words of its own follow here.\n`,
        },
      },
      { name: "notes", pages: { "rope.md": `# Rope\n\n${ROPE}\n` } },
      { name: "secret", access: "crew", pages: { "lamp.md": `# Lamp\n\n${LAMP}\n` } },
    ]);
  });

  async function found(request: SimilarRequest, groups?: readonly string[]) {
    const { reader } = await built.open(groups);
    const { sections } = await findSimilar(reader, request);
    return sections.map(({ section, similarity }) => [section.nodeId, Number(similarity.toFixed(2))]);
  }

  it("finds copies with similarity 1, the one that is most like the draft first", async () => {
    expect(await found(ask(LAMP))).toEqual([
      ["docs:deck.md#lamp", 1],
      ["docs:copy.md#lamp-again", 1],
    ]);
  });

  it("finds a lightly edited copy, and a copy inside a longer draft", async () => {
    const [edited] = await found(ask(edit(ROPE)));
    expect(edited?.[0]).toMatch(/rope/);
    expect(edited?.[1]).toBeGreaterThanOrEqual(0.7);
    const longer = `${LAMP} ${"Sails are mended by the sailmaker with a palm and needle. ".repeat(5)} ${edit(ROPE)}`;
    expect((await found(ask(longer, { threshold: 0.3 }))).map(([id]) => id)).toContain("docs:deck.md#lamp");
  });

  it("tells what is the same, and what is nearest where nothing is", async () => {
    const { reader, next } = await built.open();
    const { sections } = await findSimilar(reader, ask(`Remember: ${ROPE.replace("below", "above")}`));
    expect(sections[0]?.shared).toBe("A hempen rope is twisted from yarns, soaked in tar and coiled");
    const far = await findSimilar(next(), ask("Trim the wick of an oil stove in the galley before the cook wakes up."));
    expect(far.sections).toEqual([]);
    expect(far.nearest?.similarity).toBeGreaterThan(0);
    expect(far.nearest?.similarity).toBeLessThan(0.35);
    const none = await findSimilar(next(), ask("Marsupials dig burrows underground near eucalyptus forests."));
    expect(none).toMatchObject({ sections: [], nearest: undefined, compared: 0 });
  });

  it("looks into one collection alone where one is given", async () => {
    expect(await found(ask(ROPE, { collection: "notes" }))).toEqual([["notes:rope.md", 1]]);
  });

  it("shows a group's sections to none but those who may see them", async () => {
    expect((await found(ask(LAMP), ["public", "crew"])).map(([id]) => id)).toContain("secret:lamp.md");
    expect((await found(ask(LAMP))).map(([id]) => id)).not.toContain("secret:lamp.md");
  });

  it("keeps to limit and threshold", async () => {
    expect(await found(ask(LAMP, { limit: 1 }))).toHaveLength(1);
    for (const [, similarity] of await found(ask(edit(LAMP), { threshold: 0.6 })))
      expect(similarity).toBeGreaterThanOrEqual(0.6);
    expect(await found(ask(edit(LAMP), { threshold: 1 }))).toEqual([]);
  });

  it.each(["", "the", "lamp", "lamp lamp lamp lamp lamp lamp", "# Rope and lamp"])(
    "refuses a draft of too few words in words: %j",
    async (content) => {
      const { reader } = await built.open();
      const error = await findSimilar(reader, ask(content)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InputError);
      expect((error as InputError).message).toContain("at least 4 are needed");
      expect(reader.cost.reads).toBe(1);
    },
  );

  it("finds a section of many blocks by its own text, and by a piece out of its middle", async () => {
    const sentences = Array.from(
      { length: 300 },
      (_, at) => `Item w${at}a leads to w${at}b behind w${at}c and w${at % 7}.`,
    );
    const { open } = await buildPages({
      "long.md": `# Long\n\n## All\n\n${sentences.join("\n\n")}\n`,
      "lamp.md": LAMP,
    });
    for (const content of [sentences.join("\n\n"), sentences.slice(140, 150).join("\n")]) {
      const { sections } = await findSimilar((await open()).reader, ask(content));
      expect(sections.map(({ section, similarity }) => [section.nodeId, similarity])).toEqual([
        ["docs:long.md#all", 1],
      ]);
    }
  });
});

describe("a section's own text", () => {
  const words = fc.constantFrom(..."rope lamp deck wick tar oil yarn coil sail mast hull knot the of and".split(" "));
  const paragraph = fc.array(words, { minLength: 12, maxLength: 60 }).map((list) => list.join(" "));

  it("finds that section first with similarity 1, but for copies of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(paragraph, { minLength: 2, maxLength: 8 }), async (paragraphs) => {
        const pages: Pages = Object.fromEntries(
          paragraphs.map((text, at) => [
            `p${at}.md`,
            `# Page ${at}\n\n${text}\n\n## Part ${at}\n\nPart ${at}: ${text} ${at}\n`,
          ]),
        );
        const { open } = await buildPages(pages);
        const { reader, next } = await open();
        for (const at of paragraphs.keys()) {
          const outline = await loadOutline(reader, `docs:p${at}.md`);
          if (outline === undefined) throw new Error("no outline");
          const [own] = await readSections(reader, outline, [1]);
          const text = own?.text ?? "";
          if (new Set(text.match(/rope|lamp|deck|wick|tar|oil|yarn|coil|sail|mast|hull|knot/g)).size < 5) continue;
          const { sections } = await findSimilar(next(), ask(text));
          expect(sections[0]?.similarity).toBe(1);
          expect(sections[0]?.section.nodeId).toBe(`docs:p${at}.md#part-${at}`);
        }
      }),
      { numRuns: runs(25) },
    );
  });
});

describe("the cost of a draft", () => {
  it("is bounded, however long the draft is", async () => {
    const pages = makeLargeCorpus(400);
    const { open } = await buildPages(pages);
    const text = Object.values(pages).join("\n").slice(0, 20_000);
    const { reader, source, index } = await open();
    const before = reader.cost.reads;
    await findSimilar(reader, ask(text, { limit: 20, threshold: 0 }));
    const locator = index.root.shards[0]?.tables.locator.entries.length ?? 0;
    const outlines = 2 * 20;
    expect(reader.cost.reads - before).toBeLessThanOrEqual(MAX_TERMS + locator + MAX_BLOCKS + outlines);
    expect(reader.cost.maxConcurrentReads).toBeLessThanOrEqual(6);
    expect(source.reads.length).toBe(reader.cost.reads - before);
    expect(reader.cost.bytes).toBeLessThan(500_000);
  });
});
