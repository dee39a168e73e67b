/**
 * Languages whose source files are parsed, by the endings of file names. Pure.
 */

const ENDINGS = {
  typescript: ["ts", "mts", "cts"],
  tsx: ["tsx"],
  javascript: ["js", "mjs", "cjs"],
  jsx: ["jsx"],
  python: ["py", "pyi"],
  go: ["go"],
  rust: ["rs"],
  java: ["java"],
  c: ["c", "h"],
  cpp: ["cc", "cpp", "cxx", "hh", "hpp", "hxx", "c++", "h++"],
  csharp: ["cs"],
  ruby: ["rb"],
  php: ["php"],
  kotlin: ["kt", "kts"],
  swift: ["swift"],
  scala: ["scala", "sc"],
  bash: ["sh", "bash"],
} as const;

export type CodeLanguage = keyof typeof ENDINGS;

/** All languages. */
export const CODE_LANGUAGES = Object.keys(ENDINGS) as readonly CodeLanguage[];

const LANGUAGE_OF_ENDING: ReadonlyMap<string, CodeLanguage> = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.map((ending) => [ending, language as CodeLanguage] as const),
  ),
);

/** Endings of all source files that are parsed, without a dot. */
export const CODE_ENDINGS: readonly string[] = [...LANGUAGE_OF_ENDING.keys()];

/** Language of a source file by its name; undefined where it is none. */
export function codeLanguageOf(path: string): CodeLanguage | undefined {
  return LANGUAGE_OF_ENDING.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}
