/** What is printed in a run of the Action is a command only where it is meant as one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPrintable } from "../../../../indexer/base/diagnostic.ts";
import { type Annotation, createSpeaker } from "../../../../indexer/cli/action/runner.ts";
import { runs } from "../../../support/runs.ts";
import { readLogLines } from "../../../support/workflow-log.ts";

const ATTACKS = [
  "::error::x",
  "  ::set-output name=published::true",
  "##[set-env name=PATH;]/tmp",
  "a\n::add-mask::a\r\n::stop-commands::x\r##[add-path]/tmp",
  "\u2028::warning::x\u202e",
  "::",
];
const hostile = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("::", "error", "%0A", "%25", "\n", "\r", ",", ":", "=", "##[", "]", " ", "a"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
);
const annotation: fc.Arbitrary<Annotation> = fc.record(
  {
    level: fc.constantFrom("error" as const, "warning" as const, "notice" as const),
    title: hostile,
    message: hostile,
    file: hostile,
    line: fc.nat(),
    column: fc.nat(),
  },
  { requiredKeys: ["level", "title", "message"] },
);

function readBack(speak: (speaker: ReturnType<typeof createSpeaker>) => void) {
  const log = readLogLines(new Set());
  const speaker = createSpeaker((text) => {
    for (const line of text.split(/\r\n|\r|\n/)) log.take(line);
  });
  speak(speaker);
  speaker.end();
  log.take("::notice::from another step");
  expect(log.annotations.at(-1)?.message).toBe("from another step");
  return { ...log, annotations: log.annotations.slice(0, -1) };
}

describe("a speaker", () => {
  it("says any text without a command, and all of it", () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 5 }), (texts) => {
        const log = readBack((speaker) => texts.forEach(speaker.say));
        expect([log.annotations, log.others, [...log.masks]]).toEqual([[], [], []]);
        expect(log.lines).toEqual(texts.flatMap((text) => text.split(/\r\n|\r|\n/)).map(toPrintable));
      }),
      { numRuns: runs(300) },
    );
  });

  it("makes of any finding one annotation that says it", () => {
    fc.assert(
      fc.property(annotation, hostile, (given, text) => {
        const log = readBack((speaker) => {
          speaker.say(text);
          speaker.annotate(given);
          speaker.say(text);
        });
        expect(log.others).toEqual([]);
        expect(log.annotations).toHaveLength(1);
        const [{ level, message, properties } = { level: "", message: "", properties: {} }] = log.annotations;
        expect(level).toBe(given.level);
        expect(message).toBe(
          given.message
            .split(/\r\n|\r|\n/)
            .map(toPrintable)
            .join("\n"),
        );
        expect(properties["file"] ?? "").toBe(given.file ?? "");
        expect(properties["title"] ?? "").toBe(toPrintable(given.title));
        expect(Number(properties["line"] ?? 0)).toBe(given.line ?? 0);
      }),
      { numRuns: runs(300) },
    );
  });

  it("has secrets covered, also those of several lines", () => {
    const { masks, lines } = readBack((speaker) => {
      speaker.mask("100%secret\nsecond");
      speaker.say("it is 100%secret and second");
    });
    expect([...masks]).toEqual(["100%secret", "second"]);
    expect(lines).toEqual(["it is *** and ***"]);
  });

  it("says where a finding is only as far as it is known", () => {
    const lines: string[] = [];
    const { annotate } = createSpeaker((line) => lines.push(line));
    annotate({ level: "error", title: "", message: "a", file: "b.md", line: 0 });
    annotate({ level: "error", title: "t", message: "a" });
    expect(lines).toEqual(expect.arrayContaining(["::error file=b.md::a", "::error title=t::a"]));
  });
});
