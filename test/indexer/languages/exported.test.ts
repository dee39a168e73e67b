/** Tests of which symbols count as exported, language by language. Java: `java.test.ts`. */
import { describe, expect, it } from "vitest";
import type { CodeLanguage } from "../../../src/core/text/code-languages.ts";
import { parseSource } from "./parsed.ts";

const CASES: readonly (readonly [language: CodeLanguage, rule: string, text: string, exported: string[]])[] = [
  [
    "csharp",
    "public, or a member of an interface; nothing without a modifier",
    "public class A { public int Open; protected int Inherited; internal int Friend; int Own; private int Hidden; }\nclass B { public void Go() {} }\ninterface I { void Do(); }\ninternal class C {}",
    ["A", "Open", "Go", "Do"],
  ],
  [
    "swift",
    "public or open, or of a protocol",
    "public class A { public var shown = 1; open func reach() {}; internal var near = 1; var plain = 1; private var own = 1; fileprivate var file = 1 }\nclass B {}\nprotocol P { func need() }",
    ["A", "shown", "reach", "need"],
  ],
  [
    "kotlin",
    "all that is neither private nor protected",
    "class A { val shown = 1; private val own = 1; protected fun inherited() {}; public fun go() {} }\nprivate class B",
    ["A", "shown", "go"],
  ],
  [
    "scala",
    "all that is neither private nor protected",
    "class A { def shown = 1; private def own = 1; protected def inherited = 1 }\nprivate class B",
    ["A", "shown"],
  ],
  [
    "php",
    "all that is neither private nor protected",
    "<?php class A { public $shown; private $own; protected $inherited; function go() {} private function hide() {} }",
    ["A", "shown", "go"],
  ],
  [
    "rust",
    "pub alone, or of a trait or enum",
    "pub struct A { pub shown: u8, own: u8 }\nstruct B;\npub(crate) fn near() {}\npub fn go() {}\ntrait T { fn need(); }\nenum E { One }",
    ["A", "shown", "go", "need", "One"],
  ],
  [
    "go",
    "an initial capital",
    "package p\ntype Store struct { Items int; count int }\nfunc Open() {}\nfunc close() {}\n",
    ["Store", "Items", "Open"],
  ],
  [
    "python",
    "no leading underscore, or listed in __all__",
    "class A:\n    def go(self): ...\n    def _own(self): ...\ndef _hidden(): ...\ndef shown(): ...\n",
    ["A", "go", "shown"],
  ],
];

describe("exported symbols", () => {
  it.each(CASES)("of %s: %s", async (language, _rule, text, exported) => {
    const { symbols } = await parseSource(language, text);
    expect(symbols.filter(({ flags }) => flags.includes("exported")).map(({ name }) => name)).toEqual(exported);
  });
});
