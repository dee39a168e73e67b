/**
 * Natural language of a document: from its frontmatter, or from a part of its path such as `fr/`, `zh-cn/` or
 * `guide.pt-BR.md`. Nothing is guessed from the text.
 *
 * Pure: no I/O.
 */

/**
 * Languages that documentation is translated into, by ISO 639 code. Only these count: `go`, `ts`, `io` and `os` are
 * codes of languages too, but as folders or in frontmatter they never mean them.
 */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk " +
    "km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur " +
    "uz vi yue zh zu"
  ).split(" "),
);

/** A language with script, region or both: `en`, `pt-br`, `zh-hans-cn`. */
const LOCALE = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/;

/** A frontmatter value as a language, in lower case with hyphens; undefined when it is none (`Python`). */
export function normaliseLanguage(value: string): string | undefined {
  const locale = value.trim().toLowerCase().replaceAll("_", "-");
  return LANGUAGES.has(LOCALE.exec(locale)?.[1] ?? "") ? locale : undefined;
}

/** The language that a path shows: its outermost folder that is one, else the part before the file's ending. */
export function deriveLanguage(path: string): string | undefined {
  const segments = path.split("/");
  const file = segments.pop() ?? "";
  const marker = file.split(".").slice(1, -1).at(-1);
  for (const segment of marker === undefined ? segments : [...segments, marker]) {
    const locale = normaliseLanguage(segment);
    if (locale !== undefined) {
      return locale;
    }
  }
  return undefined;
}
