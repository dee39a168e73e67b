import { describe, expect, it } from "vitest";
import { hasTag } from "../../src/http/respond.ts";

function asks(header: string | undefined): Request {
  return new Request("https://docs.example", header === undefined ? {} : { headers: { "If-None-Match": header } });
}

describe("hasTag", () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', 'W/"b",W/"a"'])("knows its tag in %s, weak or not", (header) => {
    expect(hasTag(asks(header), '"a"')).toBe(true);
    expect(hasTag(asks(header), 'W/"a"')).toBe(true);
  });

  it.each([undefined, "", "a", '"b"', '"ab"', "*", 'w/"a"'])("does not know it in %s", (header) => {
    expect(hasTag(asks(header), 'W/"a"')).toBe(false);
  });
});
