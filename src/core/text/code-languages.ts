/**
 * Languages whose source files are parsed: the one table of the core that names them. `indexer/languages` has a folder for each.
 *
 * Endings are a table of their own because pages load them, and nothing else of this file.
 */

/** Endings of file names, without a dot. */
const ENDINGS = {
  typescript: ["ts", "mts", "cts"],
  tsx: ["tsx"],
  javascript: ["js", "mjs", "cjs"],
  jsx: ["jsx"],
  vue: ["vue"],
  svelte: ["svelte"],
  astro: ["astro"],
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

/** Grammars of highlight.js that pages load to colour code. */
export const GRAMMARS: readonly string[] =
  /* @__PURE__ */ "bash c cpp csharp css diff go ini java javascript json kotlin markdown php python ruby rust scala sql swift typescript xml yaml".split(
    " ",
  );

interface LanguageFacts {
  readonly lexis: Lexis;
  /** Words that are no names, with spaces between. */
  readonly keywords: readonly string[];
  /** Names other than letters, digits and `_`. */
  readonly names?: NameSyntax;
  /** Names that callers write for the language, besides its own and the endings. */
  readonly otherNames?: readonly string[];
  /** File names of tests, as a regular expression; besides `a.test.ts`, `a_spec.rb` and their like. */
  readonly testNames?: string;
  /** Whether it is JavaScript or a language that becomes it: what it exports is named, and any word names a member. */
  readonly isScript?: true;
  /** Whether its files are markup with scripts in them. */
  readonly hasMarkup?: true;
  /** What it is called where docs have the same code in this language and another one that has such a name, too. */
  readonly twin?: string;
  /** Whether a member is as reachable as its container, unless it says otherwise. */
  readonly hasOpenMembers?: true;
  /** Whether doc comments declare types: `@param {Store}`. */
  readonly hasTypesInComments?: true;
  /** Whether files see each other without an import: there, any use of another file connects the two. */
  readonly seesNeighbours?: true;
  /** Whether one symbol can have declarations in several files. */
  readonly hasSplitDeclarations?: true;
  /** Whether imports name types in a path to their members, which has no edge. */
  readonly hasPathImports?: true;
  /** Names of a list of what a module exports, and of arguments that are passed by name. */
  readonly hasNamesInLists?: true;
  /** Sign in front of variables and static properties, which is no part of their name; a parameter may declare a property. */
  readonly variableSign?: string;
  /** Note on methods of one name, where a type implements an interface by having its methods. */
  readonly implicitMembers?: string;
  /** Conflict of a name in upper case with one in lower case, where the first letter says whether a symbol is exported. */
  readonly caseOfExports?: string;
}

/** Comments, strings and what else is no code. */
interface Lexis {
  /** Whether comments begin with `//`, or stand between `/*` and `*\/`. */
  readonly slashes?: true;
  /** Whether comments begin with `#`. */
  readonly hash?: true;
  readonly tripleQuotes?: true;
  /** Backticks as a string with code in `${}`, or as a string. */
  readonly backticks?: "template" | "raw";
  /** Whether `'` may stand alone: lifetimes, and letters between quotes. */
  readonly singleLetters?: true;
  readonly regexes?: true;
}

/** Characters of names, as a pattern and in words. */
interface NameSyntax {
  readonly pattern: RegExp;
  readonly characters: string;
  readonly end?: string;
}

const WITH_DOLLAR: NameSyntax = {
  pattern: /^#?[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u,
  characters: "_ and $",
};
const C_LIKE: Lexis = { slashes: true, singleLetters: true };
const WITH_TRIPLE_QUOTES: Lexis = { slashes: true, singleLetters: true, tripleQuotes: true };
const SCRIPT_WORDS =
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public await";
const JAVA_WORDS =
  "abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while true false null";
const C_WORDS =
  "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while";
/** Facts of scripts, with those of one of them. Marked as pure: pages do without. */
const scriptWith = (own: Partial<LanguageFacts>): LanguageFacts => ({
  lexis: { slashes: true, backticks: "template", regexes: true },
  keywords: [SCRIPT_WORDS],
  names: WITH_DOLLAR,
  isScript: true,
  hasOpenMembers: true,
  ...own,
});
const TYPESCRIPT = /* @__PURE__ */ scriptWith({ twin: "TypeScript" });
const JAVASCRIPT = /* @__PURE__ */ scriptWith({ twin: "JavaScript", hasTypesInComments: true });
const COMPONENT = /* @__PURE__ */ scriptWith({ hasMarkup: true });
const FACTS: Readonly<Record<CodeLanguage, LanguageFacts>> = {
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  javascript: JAVASCRIPT,
  jsx: JAVASCRIPT,
  vue: COMPONENT,
  svelte: COMPONENT,
  astro: COMPONENT,
  python: {
    lexis: { hash: true, tripleQuotes: true },
    keywords: [
      "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield",
    ],
    testNames: "test_[^/]*\\.py|conftest\\.py",
    hasNamesInLists: true,
  },
  go: {
    lexis: { slashes: true, singleLetters: true, backticks: "raw" },
    keywords: [
      "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
    ],
    otherNames: ["golang"],
    seesNeighbours: true,
    implicitMembers: "may implement it, or be implemented by it: in Go nothing says so",
    caseOfExports: "the case of the first letter says in Go what is exported, and changes",
  },
  rust: {
    lexis: C_LIKE,
    keywords: [
      "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do final macro override priv typeof unsized virtual yield try",
    ],
    testNames: "tests?\\.rs",
    seesNeighbours: true,
  },
  java: {
    lexis: WITH_TRIPLE_QUOTES,
    keywords: [JAVA_WORDS],
    names: WITH_DOLLAR,
    testNames: "[^/]*[a-z0-9]Tests?\\.java",
    seesNeighbours: true,
    hasPathImports: true,
  },
  c: { lexis: C_LIKE, keywords: [C_WORDS], seesNeighbours: true, hasSplitDeclarations: true },
  cpp: {
    lexis: C_LIKE,
    keywords: [
      C_WORDS,
      "alignas alignof and bool catch class concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not nullptr operator or private protected public reinterpret_cast requires static_assert static_cast template this throw true try typeid typename using virtual wchar_t xor",
    ],
    otherNames: ["c++"],
    seesNeighbours: true,
    hasSplitDeclarations: true,
  },
  csharp: {
    lexis: C_LIKE,
    keywords: [
      JAVA_WORDS,
      "as base bool checked decimal delegate event explicit extern fixed foreach implicit in internal is lock namespace object operator out override params readonly ref sbyte sealed sizeof stackalloc string struct typeof uint ulong unchecked unsafe ushort using virtual",
    ],
    otherNames: ["c#"],
    testNames: "[^/]*[a-z0-9]Tests?\\.cs",
    seesNeighbours: true,
    hasSplitDeclarations: true,
    hasPathImports: true,
  },
  ruby: {
    lexis: { hash: true },
    keywords: [
      "BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield",
    ],
    names: {
      pattern: /^(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*[?!=]?$/u,
      characters: "and _",
      end: "; ?, ! or = may end it",
    },
    seesNeighbours: true,
  },
  php: {
    lexis: { slashes: true, hash: true },
    keywords: [
      "abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global goto if implements include instanceof insteadof interface isset list match namespace new or print private protected public readonly require return static switch throw trait try unset use var while xor yield",
    ],
    names: { pattern: /^\$?[\p{L}_][\p{L}\p{N}_]*$/u, characters: "and _" },
    testNames: "[^/]*[a-z0-9]Tests?\\.php",
    seesNeighbours: true,
    variableSign: "$",
  },
  kotlin: {
    lexis: WITH_TRIPLE_QUOTES,
    keywords: [
      "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while",
    ],
    testNames: "[^/]*[a-z0-9]Tests?\\.kt",
    seesNeighbours: true,
    hasPathImports: true,
  },
  swift: {
    lexis: WITH_TRIPLE_QUOTES,
    keywords: [
      "associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private protocol public rethrows static struct subscript typealias var break case continue default defer do else fallthrough for guard if in repeat return switch where while as catch false is nil super self Self throw throws true try",
    ],
    testNames: "[^/]*[a-z0-9]Tests?\\.swift",
    seesNeighbours: true,
  },
  scala: {
    lexis: WITH_TRIPLE_QUOTES,
    keywords: [
      "abstract case catch class def do else extends false final finally for forSome if implicit import lazy macro match new null object override package private protected return sealed super this throw trait try true type val var while with yield",
    ],
    testNames: "[^/]*[a-z0-9]Tests?\\.scala",
    seesNeighbours: true,
    hasPathImports: true,
  },
  bash: {
    lexis: { hash: true },
    keywords: ["case coproc do done elif else esac fi for function if in select then time until while"],
    names: { pattern: /^[\p{L}_][\p{L}\p{N}_.-]*$/u, characters: "_, - and ." },
    otherNames: ["shell"],
  },
};
/** Languages that the table lacks: an index may be newer. */
const UNKNOWN: LanguageFacts = { lexis: C_LIKE, keywords: [] };

/** Facts of a language by its name. */
export function factsOf(language: string): LanguageFacts {
  return Object.hasOwn(FACTS, language) ? FACTS[language as CodeLanguage] : UNKNOWN;
}

/* What may be the name of something in source code, by language. */

const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;

/**
 * Why a text can be no name, as the end of a sentence; undefined where it can.
 *
 * @param isMember Whether it is to follow a dot: scripts allow every word there.
 */
export function findNameProblem(name: string, language: string, isMember: boolean): string | undefined {
  const { names, keywords, isScript } = factsOf(language);
  if (!(names?.pattern ?? PLAIN).test(name) || (name.startsWith("#") && !isMember))
    return `is no identifier of ${language}`;
  if (isScript === true && isMember) return undefined;
  return keywords.some((words) => words.split(" ").includes(name)) ? `is a keyword of ${language}` : undefined;
}

const WORD_CHARACTER = "[\\p{L}\\p{M}\\p{N}_$]";

/** Offsets at which a word stands by itself, ascending. */
export function findWord(text: string, word: string): number[] {
  if (!text.includes(word)) return [];
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const pattern = new RegExp(`(?<!${WORD_CHARACTER})${escaped}(?!${WORD_CHARACTER})`, "gu");
  return Array.from(text.matchAll(pattern), ({ index }) => index);
}
