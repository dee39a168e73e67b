import { describe, expect, it } from "vitest";
import { readNameQuery } from "../../../src/core/code/name-query.ts";

describe("a query of a name", () => {
  it.each([
    ["open()", "open"],
    [" open ", "open"],
    ["operator()", "operator()"],
    ["myoperator()", "myoperator"],
    ["operator==", "operator=="],
  ])("%j means %j", (text, name) => {
    expect(readNameQuery(text)).toMatchObject({ kind: "name", name });
  });
});
