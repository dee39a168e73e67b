/**
 * Filters of jq, as far as scripts of the documents use them: fields, lists, `select`, `startswith`, `==`, `and`, `env`. What is
 * not known is an error, so that nothing passes here that means something else there.
 */

type Filter = (value: unknown) => unknown[];

const TOKEN = /\s*(?:(?<text>"[^"\\]*")|(?<field>\.[A-Za-z_]\w*)|(?<list>\[\])|(?<name>[a-z]+)|(?<sign>==|[|().]))/y;

/** What a filter gives out for a value. @throws {Error} where it holds what is not known. */
export function filterJson(filter: string, value: unknown, environment: NodeJS.ProcessEnv): unknown[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < filter.trimEnd().length) {
    const match = TOKEN.exec(filter);
    if (match === null) throw new Error(`cannot read the filter ${filter}`);
    tokens.push(match[0].trim());
  }
  const apply = parse(tokens, environment);
  if (tokens.length > 0) throw new Error(`unexpected ${tokens[0]} in ${filter}`);
  return apply(value);
}

function parse(tokens: string[], environment: NodeJS.ProcessEnv): Filter {
  const takeIf = (wanted: string): boolean => tokens[0] === wanted && tokens.shift() !== undefined;
  const inParentheses = (): Filter => {
    if (!takeIf("(")) throw new Error(`expected ( before ${tokens[0]}`);
    const inner = piped();
    if (!takeIf(")")) throw new Error(`expected ) before ${tokens[0]}`);
    return inner;
  };
  const piped = (): Filter => {
    let first = both();
    while (takeIf("|")) {
      const [before, after] = [first, both()];
      first = (value) => before(value).flatMap(after);
    }
    return first;
  };
  const both = (): Filter => combine("and", compared, (a, b) => a === true && b === true);
  const compared = (): Filter => combine("==", single, (a, b) => a === b);
  const combine = (sign: string, next: () => Filter, join: (a: unknown, b: unknown) => boolean): Filter => {
    let first = next();
    while (takeIf(sign)) {
      const [left, right] = [first, next()];
      first = (value) => left(value).flatMap((a) => right(value).map((b) => join(a, b)));
    }
    return first;
  };
  const single = (): Filter => {
    if (tokens[0] === "(") return inParentheses();
    const token = tokens.shift() ?? "nothing";
    if (token.startsWith('"')) return () => [token.slice(1, -1)];
    if (token === "select") {
      const condition = inParentheses();
      return (value) => condition(value).flatMap((holds) => (holds === true ? [value] : []));
    }
    if (token === "startswith") {
      const start = inParentheses();
      return (value) => start(value).map((text) => asText(value).startsWith(asText(text)));
    }
    if (token === "env") return fields(() => [environment]);
    if (token === ".") return fields((value) => [value]);
    if (token.startsWith(".")) return fields((value) => [fieldOf(value, token)]);
    throw new Error(`the filter holds ${token}, which is not known`);
  };
  const fields = (start: Filter): Filter => {
    let path = start;
    for (;;) {
      const before = path;
      const token = tokens[0] ?? "";
      if (token === "[]") path = (value) => before(value).flatMap(asList);
      else if (/^\.\w/.test(token)) path = (value) => before(value).map((one) => fieldOf(one, token));
      else return path;
      tokens.shift();
    }
  };
  return piped();
}

function fieldOf(value: unknown, token: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`no object for ${token}`);
  return (value as Readonly<Record<string, unknown>>)[token.slice(1)] ?? null;
}

function asText(value: unknown): string {
  if (typeof value !== "string") throw new Error(`no text: ${JSON.stringify(value)}`);
  return value;
}

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value;
}
