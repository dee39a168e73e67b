/** Components of Svelte: scripts, and what the markup uses of them. */

import { createComponentParser } from "../typescript/components.ts";
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
} from "../typescript/markup.ts";

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
  "#if": ["if(", "\n)"],
  "#snippet": ["function ", ""],
  ":else if": ["}else if(", "\n){"],
  ":then": ["}{let ", "=0;"],
  ":catch": ["}{let ", "=0;"],
  "@const": ["const ", ";"],
};
const VALUE = ["[", "\n];"] as const;

/** Writes what markup uses. */
class Markup {
  readonly #code: CodeWriter;
  /** Blocks that are open. */
  #blocks = 0;

  constructor(code: CodeWriter) {
    this.#code = code;
  }

  finish(): void {
    this.#code.add("}".repeat(this.#blocks));
  }

  /** An expression or a part of a block; gives the place of its closing brace. */
  writeCode(opening: number): number {
    const code = this.#code;
    const { source } = code;
    const end = skipCode(source, opening + 1, source.length);
    const [all = "", sign = "", word = ""] =
      /^\s*([#:/@])(\w+(?:\s+if\b)?)\s*/.exec(source.slice(opening + 1, end)) ?? [];
    const held: Span = [opening + 1 + all.length, end];
    if ((sign === "/" || sign === ":") && this.#blocks === 0) return end;
    if (sign === "#") this.#blocks++;
    if (sign === "/") {
      this.#blocks--;
      code.addAt(end, "}", 1);
      code.add(";");
    } else if (word === "each") {
      this.#openLoop(held);
    } else if (sign === ":" && held[0] === end) {
      code.add("}{");
    } else {
      const [value, result] = word === "await" ? splitCode(source, held, ["then", "catch"]) : [held];
      const [before, after] = BLOCKS[`${sign}${word.replace(/\s+/, " ")}`] ?? VALUE;
      code.addAt(opening, before);
      code.wrap("", value ?? held, sign === "#" ? `${after}{` : after);
      if (result !== undefined) code.wrap("let ", result, "=0;");
    }
    return end;
  }

  /** `{#each items as item, index (key)}` */
  #openLoop(held: Span): void {
    const code = this.#code;
    const { source } = code;
    const pieces = splitCode(source, held, ["as"]);
    const names = pieces.length > 1 ? pieces.at(-1) : undefined;
    const [bound, key] = names === undefined ? [] : splitCode(source, names, ["("]);
    const list: Span = [held[0], pieces.at(-2)?.[1] ?? held[1]];
    openLoop(code, list, bound === undefined ? [] : splitCode(source, bound, [","]));
    if (key !== undefined) code.wrap("(", key, ";");
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
