/** The runner that tests play takes commands out of a log as GitHub's does. */
import { expect, it } from "vitest";
import { parseOutputs } from "./run-action.ts";
import { readLogLines } from "./workflow-log.ts";

it("sees commands of both forms, and none while they are stopped", () => {
  const log = readLogLines(new Set());
  for (const line of [
    "  ::warning file=a%2Cb.md,line=3::first%0Asecond",
    "text ##[set-output name=a;]value",
    "::add-mask::hush",
    "say hush, ::error:: in the middle is text",
    "::stop-commands::token",
    "::error::not a command",
    "##[error]nor this",
    "::token::",
    "::notice::again",
    "::nothing::that it knows",
  ]) {
    log.take(line);
  }
  expect(log.annotations.map(({ level, message }) => [level, message])).toEqual([
    ["warning", "first\nsecond"],
    ["notice", "again"],
  ]);
  expect(log.annotations[0]?.properties).toEqual({ file: "a,b.md", line: "3" });
  expect(log.others).toEqual(["text ##[set-output name=a;]value"]);
  expect(log.lines).toEqual([
    "say ***, ::error:: in the middle is text",
    "::error::not a command",
    "##[error]nor this",
    "::nothing::that it knows",
  ]);
});

it("reads outputs in both forms", () => {
  expect(parseOutputs("a=1=2\nb<<END\nline\n\nother\nEND\nc=\n")).toEqual({ a: "1=2", b: "line\n\nother", c: "" });
  expect(() => parseOutputs("b<<END\nline\n")).toThrow("does not end");
});
