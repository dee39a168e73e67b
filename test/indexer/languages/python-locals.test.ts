/** Tests of the names that Python keeps inside functions. */
import { describe, expect, it } from "vitest";
import { parseSource, usesOf } from "./parsed.ts";

const parse = (text: string) => parseSource("python", text);

describe("local names of Python", () => {
  it("leave local names and parameters out, also those of loops, comprehensions and patterns", async () => {
    const text =
      "def f(a, *b, c=1, **d):\n    e = a\n    for g, h in b: print(g)\n    [k for k in d if k]\n    with c as m: m\n    try: pass\n    except E as n: n\n    if (o := e): o\n    lambda p: p + e\n    match a:\n        case q: q\n        case [r]: r\n";
    expect(usesOf(await parse(text))).toEqual(["calls free print in f", "reads free E in f"]);
  });

  it("reach the module's names through global", async () => {
    const file = await parse("count = 0\ndef f():\n    global count\n    count = 1\n");
    expect(usesOf(file)).toEqual(["writes symbol count in f"]);
  });
});
