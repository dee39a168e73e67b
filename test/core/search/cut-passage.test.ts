import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPassages } from "../../../src/core/search/cut-passage.ts";
import { analyzeText, ENGLISH } from "../../../src/core/text/analyze.ts";
import { runs } from "../../support/runs.ts";

const START = 10;

interface Options {
  readonly room?: number;
  readonly isCode?: boolean;
  readonly headings?: readonly string[];
}

function weightsOf(query: string): Map<string, number> {
  return new Map(analyzeText(query).map(({ term }) => [term, 1]));
}

/** Lines that are shown of one text, with `…` where some between them are left out. */
function cut(text: string, query: string, { room = 1000, isCode = false, headings = [] }: Options = {}): string[] {
  const source = { text, startLine: START, isCode, analyzer: ENGLISH, headings, score: 1 };
  const [passage] = cutPassages([source], weightsOf(query), room);
  return (passage?.lines ?? []).flatMap((line) => [...(line.isApart ? ["…"] : []), ...line.text.split("\n")]);
}

/** A sentence of so many characters and more about nothing. */
const filler = (length: number): string =>
  `${"Nothing here is about what was asked for. ".repeat(length / 42 + 1).trim()}\n\n`;

describe("a passage", () => {
  it("has the sentences that hold the words, and marks what is left out between them", () => {
    const text = `The zebra sleeps. It stands while it does so, as horses do, in the shade of trees.\n\n${filler(500)}A zebra eats grass, and little else beside it.\n`;
    expect(cut(text, "zebra sleep grass", { room: 200 })).toEqual([
      "The zebra sleeps. It stands while it does so, as horses do, in the shade of trees.",
      "…",
      "A zebra eats grass, and little else beside it.",
    ]);
  });

  it("has the row of a long table below its header, and names other rows", () => {
    const rows = Array.from(
      { length: 9 },
      (_, at) => `| \`--flag-${at}\` | sets ${at === 6 ? "the zebra" : "a horse"} number ${at} |`,
    );
    const shown = cut(`Flags:\n\n| flag | what it does |\n|---|---|\n${rows.join("\n")}\n`, "zebra", { room: 150 });
    expect(shown.filter((line) => line.startsWith("|"))).toEqual(["| flag | what it does |", rows[6]]);
    expect(shown.at(-1)).toMatch(/^… also --flag-0, --flag-1, /);
    expect(shown.at(-1)).not.toContain("--flag-6");
  });

  it("has a short list whole, since an item says little without the others", () => {
    const list =
      "There are three modes:\n\n- `fast` skips checks.\n- `safe` tries all zebras.\n- `slow` is for tests.\n";
    const whole = [
      "There are three modes:",
      "- `fast` skips checks.",
      "- `safe` tries all zebras.",
      "- `slow` is for tests.",
    ];
    expect(cut(`${filler(300)}${list}\n${filler(300)}`, "zebra modes", { room: 250 })).toEqual(whole);
  });

  it("has a block of code whole, without its fences, after the sentence that leads to it", () => {
    const text = `${filler(300)}Start the zebra like this:\n\n\`\`\`ts\nconst herd = open();\nherd.start();\n\`\`\`\n\n${filler(200)}`;
    expect(cut(text, "start zebra", { room: 300 })).toEqual([
      "Start the zebra like this:",
      "const herd = open();",
      "herd.start();",
    ]);
  });

  it("has of a long block the lines that hold words", () => {
    const code = Array.from({ length: 60 }, (_, at) => (at === 40 ? "  zebra: true," : `  option${at}: false,`));
    const shown = cut(`\`\`\`js\n${code.join("\n")}\n\`\`\`\n`, "zebra", { room: 200 });
    expect(shown).toContain("  zebra: true,");
    expect(shown.length).toBeLessThan(6);
  });

  it("shows one of the same code in two languages", () => {
    const block = (language: string, type: string): string =>
      `\`\`\`${language}\nconst zebra${type} = open("zebra");\n\`\`\`\n\n`;
    const shown = cut(`Open a zebra:\n\n${block("ts", ": Zebra")}${block("js", "")}`, "open zebra");
    expect(shown.filter((line) => line.startsWith("const"))).toHaveLength(1);
  });

  it("prefers what gives a default to what only names it where one is asked for", () => {
    const named = "The default of the zebra timeout can be changed by anybody who has a key for the project.";
    const given = "- Default: `5_000` for the zebra timeout";
    const text = `${named}\n\n${filler(100)}${given}\n`;
    expect(cut(text, "zebra timeout default", { room: 60 })).toEqual([given]);
  });

  it("of source code has the comment and the lines that hold words", () => {
    const body = Array.from({ length: 40 }, (_, at) => `  step${at}();`);
    const shown = cut(
      `/** Feeds each zebra once. */\nfunction feed() {\n${body.join("\n")}\n  zebra.eat();\n}`,
      "zebra",
      {
        isCode: true,
        room: 200,
      },
    );
    expect(shown[0]).toBe("/** Feeds each zebra once. */");
    expect(shown).toContain("  zebra.eat();");
    expect(shown).not.toContain("  step20();");
  });

  it("is without links, styles and tags, and without frontmatter", () => {
    const text =
      '---\ntitle: zebra\n---\n\nSee [the **zebra**](../zebra.md "Z") and <Badge text="new" /> more of **it**.\n';
    expect(cut(text, "zebra")).toEqual(["See the zebra and  more of it."]);
  });

  it("keeps what stands in angle brackets and is no tag", () => {
    const kept = ["copy zebra <source> <target> with ``tool <path>``.", "Map<String, Zebra> of List<Zebra> here."];
    for (const line of kept) expect(cut(`${line}\n`, "zebra")).toEqual([line]);
    expect(
      cut("A zebra<br/>of <span class='x'>two</span> <Tabs.Item value={1} open>tabs</Tabs.Item>.\n", "zebra"),
    ).toEqual(["A zebraof two tabs."]);
  });

  it("shares its room among sections, better ones first, and leaves out those that add nothing", () => {
    const source = (text: string, score: number) => ({
      text,
      startLine: 1,
      isCode: false,
      analyzer: ENGLISH,
      headings: [],
      score,
    });
    const shown = cutPassages(
      [source("Zebras eat grass.\n", 3), source("Lions sleep all day.\n", 2), source("Horses run from anybody.\n", 2)],
      weightsOf("zebra lion sleep"),
      1000,
    );
    expect(shown.map((one) => one.source)).toEqual([0, 1]);
  });

  it("begins at the beginning where the section holds no word of the query", () => {
    expect(cut("First of all, this.\n\nThen that.\n", "zebra")).toEqual(["First of all, this."]);
    expect(cut("", "zebra")).toEqual([]);
  });
});

const WORDS = ["zebra", "horse", "grass", "default", "timeout", "water", "runs", "sleeps", "often", "never"];
const anySentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 14 })
  .map((words) => `${words.join(" ").replace(/^./, (first) => first.toUpperCase())}.`);
const anyBlock = fc.oneof(
  fc.array(anySentence, { minLength: 1, maxLength: 6 }).map((all) => all.join(" ")),
  fc.array(anySentence, { minLength: 1, maxLength: 12 }).map((all) => all.map((one) => `- ${one}`).join("\n")),
  fc
    .array(anySentence, { minLength: 1, maxLength: 12 })
    .map((all) => `| name | about |\n|---|---|\n${all.map((one, at) => `| \`n${at}\` | ${one} |`).join("\n")}`),
  fc
    .array(anySentence, { minLength: 1, maxLength: 16 })
    .map((all) => `\`\`\`\n${all.map((one) => `  ${one}`).join("\n")}\n\`\`\``),
  fc.constant("## A heading"),
);

describe("any passage", () => {
  it("has only lines of its source, in their order, and takes its room and one piece more at most", () => {
    fc.assert(
      fc.property(
        fc.array(anyBlock, { minLength: 1, maxLength: 12 }),
        fc.subarray(WORDS, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 60, max: 1200 }),
        fc.boolean(),
        (blocks, query, room, isCode) => {
          const text = `${blocks.join("\n\n")}\n`;
          const written = text.split("\n");
          const source = { text, startLine: START, isCode, analyzer: ENGLISH, headings: [], score: 1 };
          const [passage] = cutPassages([source], weightsOf(query.join(" ")), room);
          const lines = passage?.lines ?? [];
          expect(lines.map(({ line }) => line)).toEqual(
            [...new Set(lines.map(({ line }) => line))].sort((a, b) => a - b),
          );
          let size = 0;
          for (const { line, text: shown } of lines) {
            const [own = "", ...names] = shown.split("\n");
            for (const name of names) expect(name).toMatch(/^… /);
            size += own.length;
            const wholeLine = (written[line - START] ?? "").replace(/\s+/g, " ");
            for (const fragment of own.split(/…|\.\.\./))
              expect(wholeLine).toContain(fragment.replace(/\s+/g, " ").trim());
          }
          const longest = Math.max(...blocks.map(({ length }) => length));
          expect(size).toBeLessThanOrEqual(room + Math.min(longest, 700));
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
