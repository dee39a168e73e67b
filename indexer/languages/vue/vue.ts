/** Components of Vue: scripts, and what templates use of them. */
import type { Language } from "../base/language.ts";
import {
  type Attribute,
  type CodeWriter,
  type ComponentSource,
  endOfElement,
  type GivenProperty,
  indexAfter,
  readTag,
  type ScriptBlock,
  type Span,
  splitCode,
  type Tag,
  walkMarkup,
  writeComponent,
  writeValue,
} from "../base/markup.ts";
import { TYPESCRIPT } from "../typescript/typescript.ts";

export const VUE: Language = {
  parser: {
    languages: ["vue"],
    load: async () => (await import("../typescript/components.ts")).createComponentParser("vue", readVue),
  },
  family: TYPESCRIPT.family,
};

/** Takes the blocks of a file apart. */
function readVue(text: string): ComponentSource {
  const scripts: ScriptBlock[] = [];
  const sources: Span[] = [];
  let template: Tag | undefined;
  let templateEnd = text.length;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    if (text.startsWith("<!--", at)) {
      at = indexAfter(text, "-->", at, text.length);
      continue;
    }
    if (!/[a-z]/i.test(text[at + 1] ?? "")) {
      at++;
      continue;
    }
    const tag = readTag(text, at, text.length, "nothing");
    at = tag.isClosed ? tag.end : endOfElement(text, tag, text.length);
    const end = Math.max(tag.end, text.lastIndexOf("</", at));
    const language = attributeText(text, tag, "lang");
    if (tag.name === "script") {
      const isInstance = tag.attributes.some(({ name }) => name === "setup");
      const source = tag.attributes.find(({ name, form }) => name === "src" && form === "text");
      if (source !== undefined) sources.push([source.start - 1, source.end + 1]);
      scripts.push({ start: tag.end, end, isInstance, language });
    } else if (tag.name === "template" && template === undefined && (language === "" || language === "html")) {
      template = tag;
      templateEnd = end;
    }
  }
  const words = scripts.map(({ start, end }) => text.slice(start, end)).join("\n");
  const [first] = scripts;
  return {
    scripts,
    sources,
    start: template === undefined ? Math.max(0, text.lastIndexOf("<script", first?.start ?? 0)) : template.at - 1,
    end: templateEnd,
    props: "options",
    write: (code) => {
      if (template !== undefined) new Template(code, words).write(template.end, templateEnd);
    },
  };
}

function attributeText(text: string, { attributes }: Tag, wanted: string): string {
  const found = attributes.find(({ name }) => name === wanted);
  return found === undefined ? "" : text.slice(found.start, found.end);
}

/** `(item, index) in items` */
const LOOP = /^(\s*\(?)([\s\S]*?)\)?\s+(?:in|of)\s+([\s\S]*)$/;
const MAX_LOOP = 1000;
/** Attributes of components that are no properties of theirs. */
const OF_ANY = /^(?:key|ref|is|slot|class|style)$/;

/** Writes what a template uses. */
class Template {
  readonly #code: CodeWriter;
  /** What scripts hold, to see which names are theirs. */
  readonly #words: string;
  readonly #closers = new Map<Tag, string>();
  readonly #imported = new Map<string, boolean>();

  constructor(code: CodeWriter, words: string) {
    this.#code = code;
    this.#words = words;
  }

  write(start: number, end: number): void {
    const code = this.#code;
    walkMarkup(code.source, start, end, "nothing", {
      onText: (from, to) => this.#writeText(from, to),
      onOpen: (tag) => this.#open(tag),
      onClose: (tag) => code.add(this.#closers.get(tag) ?? ""),
    });
  }

  #writeText(from: number, to: number): void {
    const { source } = this.#code;
    for (let at = source.indexOf("{{", from); at >= 0 && at < to; at = source.indexOf("{{", at)) {
      const end = source.indexOf("}}", at);
      if (end < 0 || end > to) return;
      this.#value(at + 2, end);
      at = end + 2;
    }
  }

  #value(start: number, end: number): void {
    writeValue(this.#code, start, end);
    this.#code.add(";");
  }

  #open(tag: Tag): boolean {
    const { attributes } = tag;
    if (attributes.some(({ name }) => name === "v-pre")) return false;
    let closers = "";
    const loop = attributes.find(({ name }) => name === "v-for");
    if (loop !== undefined) closers = this.#openLoop(loop) + closers;
    const given: GivenProperty[] = [];
    for (const attribute of attributes) this.#readAttribute(attribute, given);
    const component = this.#componentOf(tag.name);
    if (component !== undefined) {
      writeComponent(this.#code, component, tag.at, given);
      this.#code.add(";");
    } else {
      for (const { value } of given) {
        if (typeof value === "function") value();
        else if (value !== undefined) this.#value(...value);
        this.#code.add(";");
      }
    }
    const slot = attributes.find(({ name }) => /^(?:v-slot|#|slot-scope$)/.test(name));
    if (slot !== undefined && slot.form === "text") {
      this.#code.add(";((");
      this.#code.copy(slot.start, slot.end);
      this.#code.add(")=>{");
      closers = `});${closers}`;
    }
    this.#closers.set(tag, closers);
    return true;
  }

  /** Opens the scope of a loop, and gives what closes it. */
  #openLoop({ start, end }: Attribute): string {
    const code = this.#code;
    const text = code.source.slice(start, Math.min(end, start + MAX_LOOP));
    const [, opening = "", names, list = ""] = LOOP.exec(text) ?? [];
    if (names === undefined) return "";
    const first = start + opening.length;
    const [element = first, ...others] = splitCode(code.source, first, first + names.length, ",");
    code.add(";for(const ");
    code.copy(first, element);
    code.add(" of (");
    code.copy(start + text.length - list.length, end);
    code.add("\n)){");
    let from = element + 1;
    for (const to of others) {
      code.add("let ");
      code.copy(from, to);
      code.add("=0;");
      from = to + 1;
    }
    return "}";
  }

  #readAttribute(attribute: Attribute, given: GivenProperty[]): void {
    const { name, at, start, end, form } = attribute;
    const code = this.#code;
    const value = form === "none" ? undefined : ([start, end] as const);
    const [, directive = "", argument = ""] = /^(v-[\w-]+|[:@#.])(?::?([^.]*|\[.*\]))/.exec(name) ?? [];
    if (directive === "") {
      if (name === "ref" && value !== undefined) this.#useName(code.source.slice(start, end), start);
      else if (!OF_ANY.test(name)) given.push({ name: camelize(name), at });
      return;
    }
    const place = at + name.indexOf(argument, directive.length);
    if (argument.startsWith("[")) this.#value(place + 1, place + argument.length - 1);
    const isNamed = argument !== "" && !argument.startsWith("[");
    switch (directive) {
      case "v-for":
      case "v-slot":
      case "#":
        return;
      case ":":
      case ".":
      case "v-bind": {
        const own = { name: camelize(argument), at: place };
        // `:title` is `:title="title"`.
        const same: Span | (() => void) =
          own.name === argument ? [place, place + argument.length] : () => code.addAt(place, own.name);
        const read = value ?? (isNamed ? same : undefined);
        if (isNamed && !OF_ANY.test(argument)) given.push({ ...own, ...(read !== undefined && { value: read }) });
        else if (value !== undefined) this.#value(...value);
        return;
      }
      case "@":
      case "v-on":
        if (value !== undefined) this.#writeHandler(start, end);
        return;
      case "v-model": {
        if (value === undefined) return;
        const write = (): void => {
          code.add("((");
          code.copy(start, end);
          code.add(")=0)");
        };
        given.push({ name: isNamed ? camelize(argument) : "modelValue", at: isNamed ? place : at, value: write });
        return;
      }
      default:
        if (!BUILT_IN.has(directive)) this.#useName(camelize(directive), at);
        if (value !== undefined) this.#value(...value);
    }
  }

  #writeHandler(start: number, end: number): void {
    const code = this.#code;
    const isFunction = /^\s*(?:async\s+)?function\b/.test(code.source.slice(start, end));
    code.add(isFunction ? ";(($event)=>{(" : ";(($event)=>{");
    code.copy(start, end);
    code.add(isFunction ? "\n)});" : "\n});");
  }

  /** A name of the scripts that stands in the markup as such. */
  #useName(name: string, at: number): void {
    if (!/^[\w$]+$/.test(name) || !this.#isKnown(name)) return;
    this.#code.addAt(at, name);
    this.#code.add(";");
  }

  /** The name by which scripts know a component; undefined for elements of HTML. */
  #componentOf(tag: string): string | undefined {
    if (/^[A-Z][\w$.]*$/.test(tag)) return tag;
    if (tag.includes(".")) return /^[\w$.]+$/.test(tag) ? tag : undefined;
    const camel = camelize(tag);
    const pascal = camel.replace(/^./, (letter) => letter.toUpperCase());
    const names = tag.includes("-") ? [camel, pascal] : [tag];
    return names.find((name) => /^\w+$/.test(name) && this.#isImported(name));
  }

  #isKnown(name: string): boolean {
    return new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(this.#words);
  }

  /** A local variable may be called like an element of HTML. */
  #isImported(name: string): boolean {
    const known = this.#imported.get(name);
    if (known !== undefined) return known;
    const declared = `\\bimport\\b[^;'"]*\\b${name}\\b[^;'"]*['"]|\\b(?:const|class|function)\\s+${name}\\b`;
    const isImported = new RegExp(declared).test(this.#words);
    this.#imported.set(name, isImported);
    return isImported;
  }
}

const BUILT_IN: ReadonlySet<string> = new Set(
  "v-if v-else-if v-else v-show v-html v-text v-once v-memo v-cloak v-pre v-is v-slot v-for".split(" "),
);

function camelize(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
