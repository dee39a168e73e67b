/** The rules of each language. */
import { BASH } from "./bash.ts";
import { C, CPP } from "./c-family.ts";
import { CSHARP } from "./csharp.ts";
import { GO } from "./go.ts";
import type { TreeSitterLanguage } from "./grammars.ts";
import { JAVA } from "./java.ts";
import { KOTLIN } from "./kotlin.ts";
import { PHP } from "./php.ts";
import { PYTHON } from "./python.ts";
import { RUBY } from "./ruby.ts";
import type { LanguageRules } from "./rules.ts";
import { RUST } from "./rust.ts";
import { SCALA } from "./scala.ts";
import { SWIFT } from "./swift.ts";

const RULES: Readonly<Record<TreeSitterLanguage, LanguageRules>> = {
  python: PYTHON,
  go: GO,
  java: JAVA,
  rust: RUST,
  c: C,
  cpp: CPP,
  csharp: CSHARP,
  ruby: RUBY,
  php: PHP,
  kotlin: KOTLIN,
  swift: SWIFT,
  scala: SCALA,
  bash: BASH,
};

/** What a language declares and uses, by its grammar. */
export function rulesOf(language: TreeSitterLanguage): LanguageRules {
  return RULES[language];
}
