/** Components of Svelte: scripts, and what the markup uses of them. */
import type { Language } from "../base/language.ts";
import {
  type Attribute,
  type CodeWriter,
  type ComponentSource,
  expressionsIn,
  type GivenProperty,
  type ScriptBlock,
  type Span,
  skipCode,
  splitCode,
  type Tag,
  walkMarkup,
  writeComponent,
  writeValue,
} from "../base/markup.ts";
import { TYPESCRIPT } from "../typescript/typescript.ts";

export const SVELTE: Language = {
  parser: {
    languages: ["svelte"],
    load: async () => (await import("../typescript/components.ts")).createComponentParser("svelte", readSvelte),
  },
  family: TYPESCRIPT.family,
};

function readSvelte(text: string): ComponentSource {
  const scripts: ScriptBlock[] = [];
  const blocks: Span[] = [];
  let depth = 0;
  walkMarkup(text, 0, text.length, "quotes", {
    onOpen: (tag) => {
      if (depth === 0 && tag.name === "script" && !tag.isClosed) scripts.push(readScript(text, tag));
      depth++;
      return true;
    },
    onClose: (tag) => {
      depth--;
      const end = text.indexOf("</", tag.end);
      if (depth === 0 && /^(?:script|style)$/.test(tag.name)) blocks.push([tag.at - 1, text.indexOf(">", end) + 1]);
    },
  });
  const start = blocks.reduce((at, [from, to]) => (text.slice(at, from).trim() === "" ? to : at), 0);
  return {
    scripts,
    start: start + (/\S/.exec(text.slice(start))?.index ?? 0),
    end: text.length,
    props: "exports",
    write: (code) => new Markup(code).write(0, text.length),
  };
}

function readScript(text: string, { attributes, end }: Tag): ScriptBlock {
  const has = (wanted: string, value?: string): boolean =>
    attributes.some((it) => it.name === wanted && (value === undefined || text.slice(it.start, it.end) === value));
  const close = text.indexOf("</script", end);
  return {
    start: end,
    end: close < 0 ? text.length : close,
    isInstance: !has("module") && !has("context", "module"),
    language: has("lang", "ts") || has("lang", "typescript") ? "ts" : "js",
  };
}

/** Space around a word that belongs to a block. */
const MAX_SPACE = 200;
/** `{#await promise then result}` */
const RESULT = /^\s+(then|catch)(?:\s+|$)/;

/** Writes what markup uses. */
class Markup {
  readonly #code: CodeWriter;
  readonly #closers = new Map<Tag, string>();
  /** What blocks that are open wait for. */
  readonly #promises: (Span | undefined)[] = [];
  #blocks = 0;

  constructor(code: CodeWriter) {
    this.#code = code;
  }

  write(start: number, end: number): void {
    walkMarkup(this.#code.source, start, end, "quotes", {
      onCode: (at) => this.#writeCode(at, end),
      onOpen: (tag) => this.#open(tag),
      onClose: (tag) => this.#code.add(this.#closers.get(tag) ?? ""),
    });
    this.#code.add("}".repeat(this.#blocks));
  }

  #value(start: number, end: number): void {
    this.#code.add(";");
    writeValue(this.#code, start, end);
    this.#code.add(";");
  }

  /** An expression or a part of a block; gives the place of its closing brace. */
  #writeCode(start: number, limit: number): number {
    const { source } = this.#code;
    const end = skipCode(source, start, limit);
    const [all = "", sign = "", word = ""] = /^\s*([#:/@])(\w+(?:\s+if\b)?)\s*/.exec(source.slice(start, end)) ?? [];
    const from = start + all.length;
    if (sign === "" && /^\s*(?:const|let|var)\s/.test(source.slice(start, end))) this.#declare(";", start, end, ";");
    else if (sign === "") this.#value(start, end);
    else if (sign === "/") this.#closeBlock(word, end);
    else if (sign === "#") this.#openBlock(word, start, from, end);
    else if (sign === ":" && this.#blocks > 0) this.#goOn(word, from, end);
    else if (word === "const") this.#declare("const ", from, end, ";");
    else this.#value(from, end);
    return end;
  }

  #declare(before: string, start: number, end: number, after: string): void {
    this.#code.add(before);
    this.#code.copy(start, end);
    this.#code.add(after);
  }

  #openBlock(word: string, at: number, start: number, end: number): void {
    const code = this.#code;
    this.#blocks++;
    if (word === "each") {
      this.#openLoop(start, end);
    } else if (word === "if") {
      this.#declare(";if(", start, end, "\n){");
    } else if (word === "snippet") {
      code.add(";");
      code.addAt(at - 1, "function ");
      code.copy(start, end);
      code.add("{");
    } else if (word === "await") {
      const { source } = code;
      const partAt = (at: number) => RESULT.exec(source.slice(at, Math.min(end, at + MAX_SPACE)));
      const place = splitCode(source, start, end, " ").find((at) => partAt(at) !== null) ?? end;
      const [part = "", name] = partAt(place) ?? [];
      const promise: Span = [start, place];
      this.#promises.push(promise);
      this.#value(...promise);
      code.add("{");
      if (place + part.length < end) this.#bindResult(name === "then" ? promise : undefined, place + part.length, end);
    } else {
      this.#value(start, end);
      code.add("{");
    }
  }

  #bindResult(promise: Span | undefined, start: number, end: number): void {
    this.#declare("let ", start, end, "=");
    if (promise !== undefined) this.#declare("await (", ...promise, "\n)");
    else this.#code.add("0");
    this.#code.add(";");
  }

  /** `{#each items as item, index (key)}` */
  #openLoop(start: number, end: number): void {
    const code = this.#code;
    const { source } = code;
    const as = splitCode(source, start, end, " ")
      .filter((at) => /^\s+as\s/.test(source.slice(at, at + MAX_SPACE)))
      .at(-1);
    if (as === undefined) {
      const [comma = end] = splitCode(source, start, end, ",");
      this.#declare(";for(const _ of (", start, comma, "\n)){");
      if (comma < end) this.#declare("let ", comma + 1, end, "=0;");
      return;
    }
    const first = as + (/^\s+as\s+/.exec(source.slice(as, as + MAX_SPACE))?.[0].length ?? 0);
    const last = first + patternLength(source.slice(first, end));
    const [comma = "", index = "", space = "", key] =
      /^(\s*,\s*)?([\w$]+)?(\s*)(\([\s\S]*\))?\s*$/.exec(source.slice(last, end))?.slice(1) ?? [];
    this.#declare(";for(const ", first, last, " of ");
    this.#declare("(", start, as, "\n)){");
    const place = last + comma.length;
    if (index !== "") this.#declare("let ", place, place + index.length, "=0;");
    if (key !== undefined) this.#value(place + index.length + space.length, end);
  }

  #goOn(word: string, start: number, end: number): void {
    const code = this.#code;
    if (/^else\s+if$/.test(word)) {
      this.#declare("}else if(", start, end, "\n){");
    } else if (word === "then" || word === "catch") {
      code.add("}{");
      if (end > start) this.#bindResult(word === "then" ? this.#promises.at(-1) : undefined, start, end);
    } else {
      code.add("}{");
    }
  }

  #closeBlock(word: string, end: number): void {
    if (this.#blocks === 0) return;
    this.#blocks--;
    if (word === "await") this.#promises.pop();
    this.#code.addAt(end, "}", 1);
    this.#code.add(";");
  }

  #open(tag: Tag): boolean {
    const code = this.#code;
    if (tag.name === "script" || tag.name === "style") return false;
    const isComponent = /^[A-Z]|\./.test(tag.name);
    const given: GivenProperty[] = [];
    let locals = 0;
    for (const attribute of tag.attributes) this.#readAttribute(attribute, given, isComponent);
    if (isComponent && /^[\w$.]+$/.test(tag.name)) {
      code.add(";");
      writeComponent(code, tag.name, tag.at, given);
      code.add(";");
    }
    for (const { name, at, start, end, form } of tag.attributes) {
      if (!name.startsWith("let:")) continue;
      code.add("{");
      locals++;
      if (form === "none") this.#declare("let ", at + 4, at + name.length, "=0;");
      else this.#declare("let ", start, end, "=0;");
    }
    this.#closers.set(tag, "}".repeat(locals));
    return true;
  }

  #readAttribute(attribute: Attribute, given: GivenProperty[], isComponent: boolean): void {
    const { name, at, start, end, form } = attribute;
    const code = this.#code;
    const { source } = code;
    const value: Span | undefined = form === "none" ? undefined : [start, end];
    const give = (property: string, place: number, what?: GivenProperty["value"]): void => {
      if (isComponent) given.push({ name: property, at: place, ...(what !== undefined && { value: what }) });
      else if (typeof what === "function") what();
      else if (what !== undefined) this.#value(...what);
    };
    if (name === "") {
      const text = source.slice(start, end);
      const word = text.trim();
      const place = start + text.indexOf(word);
      if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(word)) give(word, place, [place, place + word.length]);
      else this.#value(place + (/^@\w+/.exec(word)?.[0].length ?? 0), end);
      return;
    }
    const [, directive = "", argument = ""] = /^([a-z]+):([^|]*)/.exec(name) ?? [];
    const place = at + directive.length + 1;
    switch (directive) {
      case "let":
        return;
      case "bind":
        give(argument, place, () => this.#write(value ?? [place, place + argument.length]));
        return;
      case "use":
      case "transition":
      case "in":
      case "out":
      case "animate":
        code.add(";");
        code.copy(place, place + argument.length);
        code.add("(");
        if (value !== undefined) writeValue(code, ...value);
        code.add(");");
        return;
      case "class":
      case "style":
        if (value === undefined) this.#value(place, place + argument.length);
        break;
      case "":
        if (form === "code") {
          give(name, at, value);
          return;
        }
        if (isComponent) give(name, at);
    }
    if (form === "code") this.#value(start, end);
    else if (form === "text") for (const [from, to] of expressionsIn(source, start, end)) this.#value(from, to);
  }

  /** What a component or element changes: a variable, or a pair of functions. */
  #write([start, end]: Span): void {
    const code = this.#code;
    if (splitCode(code.source, start, end, ",").length > 1) {
      writeValue(code, start, end);
      return;
    }
    this.#declare("((", start, end, "\n)=0)");
  }
}

/** Length of the name or pattern that a text begins with. */
function patternLength(text: string): number {
  if (!/^[[{]/.test(text)) return /^[\w$]*/.exec(text)?.[0].length ?? 0;
  return skipCode(text, 1, text.length) + 1;
}
