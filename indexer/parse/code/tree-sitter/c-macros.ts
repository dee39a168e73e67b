/**
 * Macros around declarations of C and C++, which no grammar knows: `LIB_API type name(…)`, `API(type) name(…)`,
 * `class LIB_API Name`, `NAMESPACE_BEGIN`, `type name(…) GUARDED_BY(x);`.
 *
 * They are replaced by spaces, so that every place stays as it is and what is left parses as the declaration it is. Pure.
 */

// A word in capitals, then a type and a name: the word is no part of the type. Where it is one (`DWORD WINAPI name(`), the
// next word is taken for the type, and the name is still found.
const IN_FRONT =
  /^([ \t]*(?:extern[ \t]+|static[ \t]+)?)((?:[A-Z][A-Z0-9_]{2,}\s+)+)(?=(?:(?:const|unsigned|signed|struct|union|enum|static|inline|extern|void|long|short)\s+)*[A-Za-z_]\w*(?:\s+|\s*\*[\s*]*)[A-Za-z_]\w*\s*[([;=,])/gm;
const AROUND_TYPE = /^([A-Z][A-Z0-9_]{3,})\(([\w \t*]+)\)(?=\s*[A-Za-z_]\w*\s*\()/gm;
const IN_TYPE =
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=[ \t]+[A-Za-z_]\w*(?:<[^<>{};\n]*>)?\s*(?:final\s*)?[:{])/g;
const AROUND_NAMESPACE = /^[ \t]*(?:(?:BEGIN|END)_[A-Z0-9_]+|[A-Z][A-Z0-9_]*_(?:BEGIN|END)(?:_[A-Z0-9_]+)?)[ \t]*$/gm;
// Not behind the condition of a statement, where such a word is a statement of its own.
const BEHIND =
  /^(?![ \t]*(?:if|for|while|else|switch|return|\})\b)([^\n"']*\)(?:[ \t]*(?:const|noexcept|override))*)([ \t]+[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)+(?=[ \t]*[;{])/gm;

/** The text with such macros blanked, of the same length and lines. */
export function blankMacros(text: string): string {
  return text
    .replace(IN_FRONT, (_, before: string, words: string) => before + blank(words))
    .replace(AROUND_TYPE, (_, macro: string, type: string) => `${" ".repeat(macro.length + 1)}${type} `)
    .replace(IN_TYPE, (_, before: string, macro: string) => before + blank(macro))
    .replace(AROUND_NAMESPACE, blank)
    .replace(BEHIND, (all, before: string) => before + blank(all.slice(before.length)));
}

function blank(words: string): string {
  return words.replace(/\S/g, " ");
}
