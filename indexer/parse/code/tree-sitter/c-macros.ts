/**
 * Macros in front of declarations of C and C++, which no grammar knows: `LIB_API type name(…)`, `API(type) name(…)`.
 *
 * They are replaced by spaces, so that every place stays as it is and what follows parses as the declaration it is. Pure.
 */

// A word in capitals, then a type and a name: the word is no part of the type. Where it is one (`DWORD WINAPI name(`), the
// next word is taken for the type, and the name is still found.
const IN_FRONT =
  /^([ \t]*(?:extern[ \t]+|static[ \t]+)?)((?:[A-Z][A-Z0-9_]{2,}\s+)+)(?=(?:(?:const|unsigned|signed|struct|union|enum|static|inline|extern|void|long|short)\s+)*[A-Za-z_]\w*(?:\s+|\s*\*[\s*]*)[A-Za-z_]\w*\s*[([;=,])/gm;
const AROUND_TYPE = /^([A-Z][A-Z0-9_]{3,})\(([\w \t*]+)\)(?=\s*[A-Za-z_]\w*\s*\()/gm;

/** The text with such macros blanked, of the same length and lines. */
export function blankMacros(text: string): string {
  return text
    .replace(IN_FRONT, (_, before: string, words: string) => before + words.replace(/\S/g, " "))
    .replace(AROUND_TYPE, (_, macro: string, type: string) => `${" ".repeat(macro.length + 1)}${type} `);
}
