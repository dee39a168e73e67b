/** What may be the name of something in source code, by language. Pure. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const SCRIPT = words(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public await",
);
const JAVA = words(
  "abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while true false null",
);
const C = words(
  "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while",
);
const KEYWORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  jsx: SCRIPT,
  python: words(
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield",
  ),
  go: words(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
  ),
  rust: words(
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do final macro override priv typeof unsized virtual yield try",
  ),
  java: JAVA,
  c: C,
  cpp: new Set([
    ...C,
    ...words(
      "alignas alignof and bool catch class concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not nullptr operator or private protected public reinterpret_cast requires static_assert static_cast template this throw true try typeid typename using virtual wchar_t xor",
    ),
  ]),
  csharp: new Set([
    ...JAVA,
    ...words(
      "as base bool checked decimal delegate event explicit extern fixed foreach implicit in internal is lock namespace object operator out override params readonly ref sbyte sealed sizeof stackalloc string struct typeof uint ulong unchecked unsafe ushort using virtual",
    ),
  ]),
  ruby: words(
    "BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield",
  ),
  php: words(
    "abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global goto if implements include instanceof insteadof interface isset list match namespace new or print private protected public readonly require return static switch throw trait try unset use var while xor yield",
  ),
  kotlin: words(
    "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while",
  ),
  swift: words(
    "associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private protocol public rethrows static struct subscript typealias var break case continue default defer do else fallthrough for guard if in repeat return switch where while as catch false is nil super self Self throw throws true try",
  ),
  scala: words(
    "abstract case catch class def do else extends false final finally for forSome if implicit import lazy macro match new null object override package private protected return sealed super this throw trait try true type val var while with yield",
  ),
  bash: words("case coproc do done elif else esac fi for function if in select then time until while"),
};

const SCRIPT_LANGUAGES: ReadonlySet<string> = new Set(["typescript", "tsx", "javascript", "jsx"]);
const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;
const WITH_DOLLAR = /^#?[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;
const RUBY = /^(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*[?!=]?$/u;
const SHELL = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const PHP = /^\$?[\p{L}_][\p{L}\p{N}_]*$/u;

/** Whether the language is JavaScript or TypeScript. */
export function isScript(language: string): boolean {
  return SCRIPT_LANGUAGES.has(language);
}

/**
 * Why a text can be no name, as the end of a sentence; undefined where it can.
 *
 * @param isMember Whether it is to follow a dot: scripts allow every word there.
 */
export function findNameProblem(name: string, language: string, isMember: boolean): string | undefined {
  const pattern = isScript(language)
    ? WITH_DOLLAR
    : language === "ruby"
      ? RUBY
      : language === "bash"
        ? SHELL
        : language === "php"
          ? PHP
          : language === "java"
            ? WITH_DOLLAR
            : PLAIN;
  if (!pattern.test(name) || (name.startsWith("#") && !isMember)) return `is no identifier of ${language}`;
  if (isScript(language) && isMember) return undefined;
  return KEYWORDS[language]?.has(name) === true ? `is a keyword of ${language}` : undefined;
}

/** What names of a language are made of, as a sentence. */
export function describeNames(language: string): string {
  const more = language === "bash" ? "_, - and ." : isScript(language) || language === "java" ? "_ and $" : "and _";
  const end = language === "ruby" ? "; ?, ! or = may end it" : "";
  return `A name is letters, digits${more.startsWith("_") ? "," : ""} ${more}, with no digit first${end}, and no keyword.`;
}

const WORD_CHARACTER = "[\\p{L}\\p{M}\\p{N}_$]";

/** Offsets at which a word stands by itself, ascending. */
export function findWord(text: string, word: string): number[] {
  if (!text.includes(word)) return [];
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const pattern = new RegExp(`(?<!${WORD_CHARACTER})${escaped}(?!${WORD_CHARACTER})`, "gu");
  return Array.from(text.matchAll(pattern), ({ index }) => index);
}
