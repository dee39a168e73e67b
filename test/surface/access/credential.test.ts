import { describe, expect, it } from "vitest";
import { readAssertion, readAuthorization } from "../../../src/surface/access/tokens.ts";

const KEY = `tl_0a1b2c3d_${"A".repeat(43)}`;
const TOKEN = "eyJh.eyJp.c2ln";

function authorization(...values: readonly string[]): unknown {
  const headers = new Headers();
  for (const value of values) headers.append("Authorization", value);
  return readAuthorization(headers);
}

describe("what stands in Authorization", () => {
  it("is nothing where the header is absent", () => {
    expect(authorization()).toBeUndefined();
  });

  it.each(["Bearer", "bearer", "BEARER", "beaRER"])("is a key or a token behind %s", (scheme) => {
    expect(authorization(`${scheme} ${KEY}`)).toEqual({ kind: "key", text: KEY });
    expect(authorization(`${scheme}   ${TOKEN}`)).toEqual({ kind: "token", text: TOKEN });
    expect(authorization(`  ${scheme} ${KEY}  `)).toEqual({ kind: "key", text: KEY });
  });

  it.each([
    [[""], "must begin with Bearer"],
    [["Bearer"], "nothing after Bearer"],
    [["Bearer "], "nothing after Bearer"],
    [[KEY], "must begin with Bearer"],
    [[`Basic ${KEY}`], "must begin with Bearer"],
    [[`Bearer${KEY}`], "must begin with Bearer"],
    [[`Bearer Bearer ${KEY}`], "neither a key"],
    [[`Bearer ${KEY} ${KEY}`], "neither a key"],
    [[`Bearer ${KEY}`, `Bearer ${KEY}`], "neither a key"],
    [[`Bearer ${KEY}, x`], "neither a key"],
    [[`Bearer "${KEY}"`], "neither a key"],
    [[`Bearer ${KEY}\u00a0`], "neither a key"],
    [[`Bearer\u00a0${KEY}`], "neither a key|nothing after|begin with"],
    [[`Bearer tl_0A1B2C3D_${"A".repeat(43)}`], "neither a key"],
    [[`Bearer ${"a.".repeat(5000)}`], "longer than 8192"],
    [["Bearer null"], "neither a key"],
  ])("is refused in words for %j", (values, words) => {
    expect(authorization(...values)).toEqual({
      kind: "malformed",
      reason: expect.stringMatching(new RegExp(words)) as string,
    });
  });
});

describe("what Access passed on", () => {
  it("is a token, nothing, or refused", () => {
    const ask = (value: string): unknown => readAssertion(new Headers({ "cf-access-jwt-assertion": value }));
    expect(readAssertion(new Headers())).toBeUndefined();
    expect(ask(TOKEN)).toEqual({ kind: "token", text: TOKEN });
    for (const wrong of ["", KEY, `${TOKEN}, ${TOKEN}`, `Bearer ${TOKEN}`]) {
      expect(ask(wrong)).toMatchObject({ kind: "malformed" });
    }
  });
});
