/** Tests of what Python uses. */
import { describe, expect, it } from "vitest";
import { parseSource, usesOf } from "./parsed.ts";

const parse = (text: string) => parseSource("python", text);

describe("uses in Python", () => {
  it("follow self, super and the type of a parameter or of what was made", async () => {
    const text = [
      "from m import Item",
      "class Store(Base):",
      "    def open(self, item: Item):",
      "        self.items.add(item)",
      "        super().open()",
      "        item.run()",
      "        x = Store()",
      "        x.close()",
      "        y = self.items",
      "        y.add()",
      "        item.next().run()",
    ].join("\n");
    expect(usesOf(await parse(text))).toEqual([
      "extends free Base in Store",
      "type import Item in open",
      "reads self Store.items in open",
      "calls self Store.items.add in open",
      "calls super Store.open in open",
      "calls value(import Item).run in open",
      "instantiates symbol Store in open",
      "calls value(symbol Store).close in open",
      "reads self Store.items in open",
      "calls self Store.items.add in open",
      "calls value(import Item).next in open",
      "calls result(value(import Item).next).run in open",
    ]);
  });

  it("tell calls, writes, decorators, bases and types apart", async () => {
    const text = "@app.route('/')\ndef f(a: List['Item']) -> Foo: x.y = 1\nclass A(B[T], metaclass=M): pass\n";
    expect(usesOf(await parse(text))).toEqual([
      "reads free app in f",
      "decorates free app.route in f",
      "type free List in f",
      "type free Foo in f",
      "reads free x in f",
      "writes free x.y in f",
      "extends free B in A",
      "type free T in A",
      "reads free M in A",
    ]);
  });

  it("do not see the names of a class from its methods", async () => {
    const file = await parse("class A:\n    x = 1\n    y = x\n    def m(self): return x\n");
    expect(usesOf(file)).toEqual(["reads symbol x in y", "reads free x in m"]);
  });
});
