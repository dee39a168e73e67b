import { describe, expect, it } from "vitest";
import { respondTagged } from "../../src/http/respond.ts";

function asks(header: string | undefined): Request {
  return new Request("https://docs.example", header === undefined ? {} : { headers: { "If-None-Match": header } });
}

const hasTag = (request: Request, etag: string): boolean =>
  respondTagged(request, new Uint8Array(1), etag, "text/plain", {}).status === 304;

describe("a tag", () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', 'W/"b",W/"a"'])("is known in %s, weak or not", (header) => {
    expect(hasTag(asks(header), '"a"')).toBe(true);
    expect(hasTag(asks(header), 'W/"a"')).toBe(true);
  });

  it.each([undefined, "", "a", '"b"', '"ab"', "*", 'w/"a"'])("is not known in %s", (header) => {
    expect(hasTag(asks(header), 'W/"a"')).toBe(false);
  });
});
