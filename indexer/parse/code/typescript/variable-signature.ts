/** Signatures of variables that share their statement with others: as if each stood alone in it. */
import ts from "typescript";
import { cutText } from "../../../../src/core/text/cut-text.ts";
import { type FileState, startOf } from "./file-state.ts";
import { foldSource, MAX_SIGNATURE } from "./signature.ts";

/** Patterns in one another, and places of a list in front of a variable, that are written out. */
const MAX_PATTERNS = 6;
const MAX_PLACES = 8;

/** What stands in front of the first variable of a statement: `export const `. */
export function variableHead(state: FileState, statement: ts.VariableStatement): string {
  const [first] = statement.declarationList.declarations;
  const end = first === undefined ? statement.end : startOf(state, first);
  return `${foldSource(state.text, startOf(state, statement), end)} `;
}

/**
 * A declaration with one variable of its pattern alone, up to what is a body: `const { beta: gamma } = make()` for `gamma` in
 * `const { alpha, beta: gamma } = make()`. At most 400 characters.
 */
export function patternSignature(
  state: FileState,
  head: string,
  { name, type, initializer }: ts.VariableDeclaration,
  variable: ts.BindingElement,
): string {
  let open = head;
  let close = "";
  let pattern = name;
  for (let level = 0; !ts.isIdentifier(pattern); level++) {
    const index = placeOf(pattern, variable);
    const element = pattern.elements[index];
    const isObject = ts.isObjectBindingPattern(pattern);
    open += isObject ? "{ " : `[${index > MAX_PLACES ? "…, " : ", ".repeat(index)}`;
    close = `${isObject ? " }" : "]"}${close}`;
    if (element === undefined || ts.isOmittedExpression(element)) break;
    if (element === variable || level === MAX_PATTERNS) {
      open += element === variable ? foldNode(state, variable) : `… ${foldNode(state, variable)}`;
      break;
    }
    if (element.propertyName !== undefined) open += `${foldNode(state, element.propertyName)}: `;
    pattern = element.name;
  }
  const typed = type === undefined ? "" : `: ${foldNode(state, type)}`;
  const isBody =
    initializer === undefined || ts.isObjectLiteralExpression(initializer) || ts.isFunctionLike(initializer);
  return cutText(`${open}${close}${typed}${isBody ? "" : ` = ${foldNode(state, initializer)}`}`, MAX_SIGNATURE);
}

/** Index of the element that a variable lies in. */
function placeOf({ elements }: ts.BindingPattern, variable: ts.BindingElement): number {
  let low = 0;
  let high = elements.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((elements[middle] as ts.ArrayBindingElement).end >= variable.end) high = middle;
    else low = middle + 1;
  }
  return low;
}

function foldNode(state: FileState, node: ts.Node): string {
  return foldSource(state.text, startOf(state, node), node.end);
}
