/**
 * Tests of the info string of fences.
 */
import { describe, expect, it } from "vitest";
import { readFenceInfo } from "../../../../indexer/parse/markdown/page-text.ts";

describe("readFenceInfo", () => {
  it.each([
    ["", "", ""],
    ["js", "js", ""],
    ["TypeScript", "typescript", ""],
    ["js {1,3-5}", "js", ""],
    ["js{1,3-5}", "js", ""],
    ['tsx filename="app/page.tsx" switcher', "tsx", "app/page.tsx"],
    ["bash title='Run it'", "bash", "Run it"],
    ["ts title=a.ts", "ts", "a.ts"],
    ['title="only.txt"', "", "only.txt"],
    ["ts:src/a.ts", "ts", ""],
    ["{.python .numberLines}", "python", ""],
    ["c++", "c++", ""],
    ["c#", "c#", ""],
    ["objective-c", "objective-c", ""],
    ['js subtitle="no"', "js", ""],
    [`x${"y".repeat(100)}`, "", ""],
    [`js ${'title="'.repeat(10_000)}`, "js", "title="],
  ])("reads %j", (info, language, title) => {
    expect(readFenceInfo(info)).toEqual({ language, title });
  });
});
