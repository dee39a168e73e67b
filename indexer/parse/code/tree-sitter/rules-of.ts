/** The rules of each language. */
import { C, CPP } from "./c-family.ts";
import { GO } from "./go.ts";
import type { TreeSitterLanguage } from "./grammars.ts";
import { JAVA } from "./java.ts";
import { PYTHON } from "./python.ts";
import type { LanguageRules } from "./rules.ts";
import { RUST } from "./rust.ts";

const RULES: Partial<Record<TreeSitterLanguage, LanguageRules>> = { python: PYTHON, go: GO, java: JAVA, rust: RUST, c: C, cpp: CPP };

export function rulesOf(language: TreeSitterLanguage): LanguageRules {
  const r = RULES[language];
  if (!r) throw new Error(language);
  return r;
}
