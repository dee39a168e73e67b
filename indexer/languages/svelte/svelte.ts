/** Components of Svelte: scripts, and what the markup uses of them. */
import {
  type Attribute,
  attributeText,
  type CodeWriter,
  type ComponentSource,
  type GivenValue,
  openLoop,
  readShort,
  type ScriptBlock,
  type Span,
  skipCode,
  splitCode,
  type Tag,
  walkMarkup,
  writeTag,
} from "../base/markup.ts";
import { createComponentParser } from "../typescript/components.ts";

export const parseSvelte = createComponentParser("svelte", readSvelte);

function readSvelte(code: CodeWriter): ComponentSource {
  const { source } = code;
  const scripts: ScriptBlock[] = [];
  let start = 0;
  const markup = new Markup(code);
  walkMarkup(code, 0, source.length, "quotes", {
    onCode: (at) => markup.writeCode(at),
    onOpen: (tag) => markup.open(tag),
    onClose: (tag, end, depth) => {
      if (depth > 0 || !/^(?:script|style)$/.test(tag.name)) return;
      if (tag.name === "script" && !tag.isClosed) scripts.push(describeScript(source, tag, end));
      if (source.slice(start, tag.at - 1).trim() === "") start = source.indexOf(">", end) + 1;
    },
  });
  markup.finish();
  const first = start + (/\S/.exec(source.slice(start))?.index ?? 0);
  return { scripts, start: first, end: source.length, props: "exports" };
}

function describeScript(source: string, tag: Tag, end: number): ScriptBlock {
  const isModule = attributeText(source, tag, "module") ?? attributeText(source, tag, "context") === "module";
  const language = attributeText(source, tag, "lang") ?? "js";
  return { start: tag.end, end, isInstance: isModule === false, language };
}

/** Code in front of and behind what a block or tag of Svelte holds. */
const BLOCKS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  "#if": ["if(", "\n){"],
  "#key": ["[", "\n];{"],
  "#snippet": ["function ", "{"],
  ":else": ["}{", ""],
  ":else if": ["}else if(", "\n){"],
  "@const": ["const ", ";"],
};

/** Writes what markup uses. */
class Markup {
  readonly #code: CodeWriter;
  /** Blocks that are open, with what they wait for. */
  readonly #blocks: (Span | undefined)[] = [];

  constructor(code: CodeWriter) {
    this.#code = code;
  }

  finish(): void {
    this.#code.add("}".repeat(this.#blocks.length));
  }

  /** An expression or a part of a block; gives the place of its closing brace. */
  writeCode(opening: number): number {
    const code = this.#code;
    const { source } = code;
    const end = skipCode(source, opening + 1, source.length);
    const [all = "", sign = "", word = ""] =
      /^\s*([#:/@])(\w+(?:\s+if\b)?)\s*/.exec(source.slice(opening + 1, end)) ?? [];
    const held: Span = [opening + 1 + all.length, end];
    const [before, after] = BLOCKS[`${sign}${word.replace(/\s+/, " ")}`] ?? ["[", sign === "#" ? "\n];{" : "\n];"];
    if (sign === "/") this.#closeBlock(end);
    else if (sign === ":" && this.#blocks.length === 0) return end;
    else if (word === "each") this.#openLoop(held);
    else if (word === "await") this.#openPromise(held);
    else if (word === "then" || word === "catch") this.#bindResult("}{", word, held);
    else {
      if (sign === "#") this.#blocks.push(undefined);
      code.addAt(opening, before);
      code.wrap("", held, after);
    }
    return end;
  }

  #closeBlock(end: number): void {
    if (this.#blocks.length === 0) return;
    this.#blocks.pop();
    this.#code.addAt(end, "}", 1);
    this.#code.add(";");
  }

  /** `{#each items as item, index (key)}` */
  #openLoop([start, end]: Span): void {
    const code = this.#code;
    this.#blocks.push(undefined);
    const names = splitCode(code.source, [start, end], ["as"]).at(-1) as Span;
    const isNamed = names[0] > start;
    const [bound, key] = isNamed ? splitCode(code.source, names, ["("]) : [names];
    const [first, ...others] = splitCode(code.source, [bound[0], bound[1]], [","]).map(
      ([from, to]): Span => [from, to],
    );
    const list: Span = isNamed ? [start, names[0] - 2] : (first as Span);
    const elements = isNamed ? [first as Span, ...others] : [];
    openLoop(code, list, elements);
    if (!isNamed) for (const name of others) code.wrap("let ", name, "=0;");
    if (key !== undefined) code.wrap("(", [key[0], end], ";");
  }

  /** `{#await promise then result}` */
  #openPromise(held: Span): void {
    const code = this.#code;
    const [promise, result] = splitCode(code.source, held, ["then", "catch"]);
    const awaited: Span = [promise[0], promise[1]];
    this.#blocks.push(awaited);
    code.value(awaited);
    if (result === undefined) code.add("{");
    else this.#bindResult("{", result[2], [result[0], result[1]]);
  }

  #bindResult(before: string, word: string, name: Span): void {
    const code = this.#code;
    const promise = word === "then" ? this.#blocks.at(-1) : undefined;
    code.add(before);
    if (code.source.slice(...name).trim() === "") return;
    code.wrap("let ", name, "=");
    if (promise === undefined) code.add("0;");
    else code.wrap("await (", promise, "\n);");
  }

  open(tag: Tag): string {
    if (tag.name === "script" || tag.name === "style") return "";
    const code = this.#code;
    const isComponent = /^(?=[A-Z]|.*\.)[\w$.]+$/.test(tag.name);
    const given = tag.attributes.flatMap((attribute) => this.#read(attribute));
    writeTag(code, isComponent ? tag.name : undefined, tag.at, given);
    const locals = tag.attributes.filter(({ name }) => name.startsWith("let:"));
    for (const { name, at, start, end, form } of locals) {
      code.wrap("{let ", form === "none" ? [at + 4, at + name.length] : [start, end], "=0;");
    }
    return "}".repeat(locals.length);
  }

  #read(attribute: Attribute): GivenValue[] {
    const { name, at, start, end, form } = attribute;
    const code = this.#code;
    if (name === "") {
      const short = readShort(code.source, attribute);
      const [tag = ""] = /^@\w+/.exec(code.source.slice(short.at, end)) ?? [];
      return [tag === "" ? short : { ...short, value: [short.at + tag.length, end] }];
    }
    const [, directive = "", argument = ""] = /^([a-z]+):([^|]*)/.exec(name) ?? [];
    const place = directive === "" ? at : at + directive.length + 1;
    const short: Span = [place, place + argument.length];
    const value: Span | undefined = form === "none" ? undefined : [start, end];
    switch (directive) {
      case "let":
        return [];
      case "bind":
        return [{ name: argument, at: place, value: () => code.wrap("((", value ?? short, "\n)=0)") }];
      case "use":
      case "transition":
      case "in":
      case "out":
      case "animate": {
        const call = (): void => {
          code.wrap("", short, "(");
          if (value !== undefined) code.wrap("[", value, "\n]");
          code.add(")");
        };
        return [{ name: "", at, value: call }];
      }
      case "class":
      case "style":
        if (value === undefined) return [{ name: "", at, value: short }];
    }
    const own = directive === "" ? name : "";
    if (form !== "text") return [{ name: own, at, value }];
    return [{ name: own, at }, ...this.#expressionsIn(start, end)];
  }

  #expressionsIn(start: number, end: number): GivenValue[] {
    const { source } = this.#code;
    const found: GivenValue[] = [];
    for (let at = source.indexOf("{", start); at >= 0 && at < end; ) {
      const close = skipCode(source, at + 1, end);
      found.push({ name: "", at, value: [at + 1, close] });
      at = source.indexOf("{", close);
    }
    return found;
  }
}
