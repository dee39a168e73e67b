/**
 * Macros around declarations of C and C++, which no grammar knows: `LIB_API type name(…)`, `API(type) name(…)`,
 * `type CALL name(…)`, `type (CALL *name)(…)`, `class LIB_API Name`, `NAMESPACE_BEGIN`, `type name(…) GUARDED_BY(x);`.
 *
 * They are replaced by spaces, so that every place stays as it is and what is left parses as the declaration it is. Pure.
 */
import { numberTypeArguments } from "./c-type-arguments.ts";

// A word in capitals, then a type and a name: the word is no part of the type. Where it is one (`DWORD WINAPI name(`), the
// next word is taken for the type, and the name is still found.
const IN_FRONT =
  /^([ \t]*(?:extern[ \t]+|static[ \t]+)?)((?:[A-Z][A-Z0-9_]{2,}\s+)+)(?=(?:(?:const|unsigned|signed|struct|union|enum|static|inline|extern|void|long|short)\s+)*[A-Za-z_]\w*(?:\s+|\s*\*[\s*]*)[A-Za-z_]\w*\s*[([;=,])/gm;
// A calling convention or an attribute: such words between a type and the name of a function. Behind a type that is in
// capitals itself and no pointer it may be the type, and the word in front the macro.
const BETWEEN =
  /^([ \t]*(?:(?:static|extern|inline|typedef|const|volatile|virtual|friend|unsigned|signed|struct|union|enum)\s+)*(?!(?:static|extern|inline|typedef|const|volatile|virtual|friend|struct|union|enum|class|constexpr|else|do|return|case|goto|new|delete|throw|using|namespace|operator|template)\b)(?:(?=\w*[a-z])\w+(?:[ \t]+|[ \t]*\*[ \t*]*)|[A-Z]\w*[ \t]*\*[ \t*]*))((?:[A-Z][A-Z0-9_]{3,}(?:[ \t]*\([^()\n]*\))?\s+)+)(?=[A-Za-z_]\w*\s*\()/gm;
const IN_POINTER = /(\(\s*)([A-Z][A-Z0-9_]{2,})(?=\s*\*\s*(?:const\s+)?[A-Za-z_]\w*\s*(?:\[\w*\]\s*)?\)\s*\()/g;
const AROUND_TYPE = /^([A-Z][A-Z0-9_]{3,})\(([\w \t*]+)\)(?=\s*[A-Za-z_]\w*\s*\()/gm;
const IN_TYPE =
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=[ \t]+[A-Za-z_]\w*(?:<[^<>{};\n]*>)?\s*(?:final\s*)?[:{])/g;
const AROUND_NAMESPACE = /^[ \t]*(?:(?:BEGIN|END)_[A-Z0-9_]+|[A-Z][A-Z0-9_]*_(?:BEGIN|END)(?:_[A-Z0-9_]+)?)[ \t]*$/gm;
// Not behind the condition of a statement, where such a word is a statement of its own.
const BEHIND =
  /^(?![ \t]*(?:if|for|while|else|switch|return|\})\b)([^\n"']*\)(?:[ \t]*(?:const|noexcept|override))*)([ \t]+[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)+(?=[ \t]*[;{])/gm;

/** The text with such macros blanked, and types that calls of macros are given as numbers; of the same length and lines. */
export function blankMacros(text: string): string {
  return numberTypeArguments(text)
    .replace(BETWEEN, (_, before: string, words: string) => before + blank(words))
    .replace(IN_POINTER, (_, before: string, word: string) => before + blank(word))
    .replace(IN_FRONT, (_, before: string, words: string) => before + blank(words))
    .replace(AROUND_TYPE, (_, macro: string, type: string) => `${" ".repeat(macro.length + 1)}${type} `)
    .replace(IN_TYPE, (_, before: string, macro: string) => before + blank(macro))
    .replace(AROUND_NAMESPACE, blank)
    .replace(BEHIND, (all, before: string) => before + blank(all.slice(before.length)));
}

function blank(words: string): string {
  return words.replace(/\S/g, " ");
}
