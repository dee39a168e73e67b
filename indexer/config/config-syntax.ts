/**
 * Syntax of the configuration and of the files that it names: JSON with comments and trailing commas, its faults told
 * in words.
 *
 * Pure: text in, tree out. No I/O.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { createReadError } from "../base/file-system.ts";
import { CONFIG_FILE_NAME, createConfigError } from "./config-problems.ts";

/**
 * The syntax tree of a file's text; `file` is how messages name it.
 *
 * @throws {InputError} with one line `file:line:column: message` for every fault in the syntax.
 */
export function parseConfigSyntax(text: string, file: string = CONFIG_FILE_NAME): Node {
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    // The parser recurses: brackets nested tens of thousands deep exhaust the stack.
    if (error instanceof RangeError) {
      throw createReadError(`${file}: brackets are nested too deeply`, error);
    }
    throw error;
  }
  if (errors.length > 0) {
    // What stands after a fault in the syntax may be misread, so nothing else is said about this file.
    throw createConfigError(
      text,
      errors.map((error) => ({ offset: error.offset, message: describeSyntax(error) })),
      file,
    );
  }
  if (tree === undefined) {
    throw createConfigError(text, [{ offset: 0, message: "the file is empty; {} is one without entries" }], file);
  }
  return tree;
}

function describeSyntax(error: ParseError): string {
  const name = printParseErrorCode(error.error);
  switch (name) {
    case "InvalidSymbol":
      return "this is not JSON; keys and texts stand in double quotes";
    case "InvalidNumberFormat":
      return "this is not a number";
    case "PropertyNameExpected":
      return "a key in double quotes is missing here";
    case "ValueExpected":
      return "a value is missing here";
    case "ColonExpected":
      return "a colon is missing here";
    case "CommaExpected":
      return "a comma is missing here";
    case "CloseBraceExpected":
      return "a closing } is missing here";
    case "CloseBracketExpected":
      return "a closing ] is missing here";
    case "EndOfFileExpected":
      return "the file ends before this; remove what follows";
    case "UnexpectedEndOfComment":
      return "this comment is not closed";
    case "UnexpectedEndOfString":
      return "this text is not closed by a double quote";
    case "UnexpectedEndOfNumber":
      return "this number ends too early";
    case "InvalidUnicode":
      return "\\u needs four hexadecimal digits";
    case "InvalidEscapeCharacter":
      return "this escape does not exist in JSON; a backslash is written \\\\";
    case "InvalidCharacter":
      return "control characters are not allowed in a text";
    default:
      return `this is not JSON (${name})`;
  }
}
