/** The rules of each language. */
import type { TreeSitterLanguage } from "./grammars.ts";
import { PYTHON } from "./python.ts";
import type { LanguageRules } from "./rules.ts";

const RULES: Partial<Record<TreeSitterLanguage, LanguageRules>> = { python: PYTHON };

export function rulesOf(language: TreeSitterLanguage): LanguageRules {
  const r = RULES[language];
  if (!r) throw new Error(language);
  return r;
}
