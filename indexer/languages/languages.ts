/** All languages whose source files are parsed: a folder each. */
import type { CodeLanguage } from "../../src/core/text/code-languages.ts";
import type { CodeParser, Family, Language, TreeDialect } from "./base/language.ts";
import { NOTHING } from "./base/world.ts";
import { BASH } from "./bash/bash.ts";
import { C } from "./c/c.ts";
import { CSHARP } from "./csharp/csharp.ts";
import { GO } from "./go/go.ts";
import { JAVA } from "./java/java.ts";
import { KOTLIN } from "./kotlin/kotlin.ts";
import { PHP } from "./php/php.ts";
import { PYTHON } from "./python/python.ts";
import { RUBY } from "./ruby/ruby.ts";
import { RUST } from "./rust/rust.ts";
import { SCALA } from "./scala/scala.ts";
import { SWIFT } from "./swift/swift.ts";
import { TYPESCRIPT } from "./typescript/typescript.ts";

/** One line a language. */
export const LANGUAGES: readonly Language[] = [
  TYPESCRIPT,
  components("vue", async () => (await import("./vue/vue.ts")).parseVue),
  components("svelte", async () => (await import("./svelte/svelte.ts")).parseSvelte),
  components("astro", async () => (await import("./astro/astro.ts")).parseAstro),
  PYTHON,
  GO,
  RUST,
  JAVA,
  KOTLIN,
  SCALA,
  C,
  CSHARP,
  SWIFT,
  PHP,
  RUBY,
  BASH,
];

/** A language whose files have scripts in them. */
function components(language: CodeLanguage, load: () => Promise<CodeParser>): Language {
  return { parser: { languages: [language], load }, family: TYPESCRIPT.family };
}

/** Dialects that tree-sitter parses, by name. */
export const TREE_DIALECTS: ReadonlyMap<string, TreeDialect> = new Map(
  LANGUAGES.flatMap(({ trees = {} }) => Object.entries(trees)),
);

/** Files that are no source code. */
export const NO_FAMILY: Family = {
  name: "other",
  createModules: () => ({ resolve: () => NOTHING }),
  createNames: () => ({ resolveFree: () => NOTHING }),
};

const FAMILIES: ReadonlyMap<string, Family> = new Map(
  LANGUAGES.flatMap(({ trees = {}, parser, family }) =>
    [...Object.keys(trees), ...(parser?.languages ?? [])].map((language) => [language, family] as const),
  ),
);

/** Family of a language by its name. */
export function familyOf(language: string): Family {
  return FAMILIES.get(language) ?? NO_FAMILY;
}

/** Parser that is no tree-sitter's; undefined for languages without one. */
export function ownParserOf(language: CodeLanguage): Language["parser"] {
  return LANGUAGES.find(({ parser }) => parser?.languages.includes(language))?.parser;
}
