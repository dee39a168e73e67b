/** Tests of parsing Bash. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

describe("Bash", () => {
  it("declares functions and variables, sources files and calls functions", async () => {
    const text =
      '#!/bin/bash\n# Doc.\n\n. ./lib.sh\nsource "x/y.sh"\nreadonly MAX=1\nNAME=a\nfoo() { local a=1; bar "$a"; NAME=2; echo x; }\nfunction baz { foo; }\n';
    const file = await parseSource("bash", text);
    expect(file.doc).toBe("Doc.");
    expect(importsOf(file)).toEqual(["./lib.sh *", "x/y.sh *"]);
    expect(outlineOf(file)).toEqual(["constant MAX", "variable NAME", "function foo", "function baz"]);
    expect(usesOf(file)).toEqual(["calls free bar in foo", "writes symbol NAME in foo", "calls symbol foo in baz"]);
  });
});
