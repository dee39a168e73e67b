/**
 * Expressions of GitHub Actions, as far as `action.yml` uses them: literals, properties, comparisons, logic, and functions about
 * the steps before. What is not known is an error, so that nothing passes here that means something else there.
 */

/** What properties are looked up in. */
export type ExpressionContext = Readonly<Record<string, unknown>>;
type Value = string | number | boolean | null;
type Functions = Readonly<Record<string, (...given: readonly Value[]) => Value>>;

const TOKEN =
  /\s*(?:(?<text>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_][\w-]*)|(?<sign>==|!=|&&|\|\||[!().,]))/y;

/** Text with its `${{ … }}` replaced by what they mean. */
export function fillTemplate(text: string, context: ExpressionContext, functions: Functions): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const value = evaluate(expression, context, functions);
    return value === null ? "" : String(value);
  });
}

/** Whether a condition holds. One that asks for no status holds only where nothing failed. */
export function holds(condition: string, context: ExpressionContext, functions: Functions): boolean {
  const bare = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition)?.[1] ?? condition;
  const asksStatus = /\b(?:success|failure|always|cancelled)\s*\(/.test(bare);
  return isTrue(evaluate(asksStatus ? bare : `success() && (${bare})`, context, functions));
}

/** The value of an expression. @throws {Error} where it holds what is not known. */
export function evaluate(expression: string, context: ExpressionContext, functions: Functions): Value {
  const tokens = tokenize(expression);
  let at = 0;
  const peek = (): string | undefined => tokens[at];
  const take = (wanted?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (wanted !== undefined && token !== wanted)) {
      throw new Error(`expected ${wanted ?? "more"} in ${expression}`);
    }
    return token;
  };
  const either = (): Value => {
    let value = both();
    while (peek() === "||") {
      take();
      const other = both();
      value = isTrue(value) ? value : other;
    }
    return value;
  };
  const both = (): Value => {
    let value = compared();
    while (peek() === "&&") {
      take();
      const other = compared();
      value = isTrue(value) ? other : value;
    }
    return value;
  };
  const compared = (): Value => {
    const value = single();
    if (peek() !== "==" && peek() !== "!=") return value;
    const isEqual = take() === "==";
    return isSame(value, single()) === isEqual;
  };
  const single = (): Value => {
    const token = take();
    if (token === "!") return !isTrue(single());
    if (token === "(") {
      const value = either();
      take(")");
      return value;
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (/^\d/.test(token)) return Number(token);
    if (token === "true" || token === "false") return token === "true";
    if (token === "null") return null;
    return peek() === "(" ? called(token) : property(token);
  };
  const called = (name: string): Value => {
    take("(");
    const given: Value[] = [];
    while (peek() !== ")") {
      if (given.length > 0) take(",");
      given.push(either());
    }
    take(")");
    const known = functions[name];
    if (known === undefined) throw new Error(`unknown function ${name} in ${expression}`);
    return known(...given);
  };
  const property = (first: string): Value => {
    if (!Object.hasOwn(context, first)) throw new Error(`unknown context ${first} in ${expression}`);
    let value: unknown = context[first];
    while (peek() === ".") {
      take();
      const name = take();
      const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
      value = record[name];
    }
    if (value === undefined || value === null) return null;
    if (typeof value === "object") throw new Error(`${first} is no value in ${expression}`);
    return value as Value;
  };
  const value = either();
  if (at < tokens.length) throw new Error(`unexpected ${tokens[at]} in ${expression}`);
  return value;
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const text = expression.trimEnd();
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`cannot read ${JSON.stringify(text.slice(from))} in an expression`);
    tokens.push(match[0].trim());
  }
  return tokens;
}

function isTrue(value: Value): boolean {
  return value !== "" && value !== 0 && value !== false && value !== null;
}

/** Texts are compared without case; of different kinds both become numbers. */
function isSame(a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  if (typeof a === typeof b) return a === b;
  return toNumber(a) === toNumber(b);
}

function toNumber(value: Value): number {
  return value === null ? 0 : typeof value === "string" && value.trim() === "" ? 0 : Number(value);
}
