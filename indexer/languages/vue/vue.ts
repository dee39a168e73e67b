/** Components of Vue: scripts, and what templates use of them. */
import {
  type Attribute,
  attributeText,
  type CodeWriter,
  type ComponentSource,
  type GivenValue,
  openLoop,
  type ScriptBlock,
  type Span,
  skipExpression,
  splitCode,
  type Tag,
  walkMarkup,
  writeTag,
} from "../base/markup.ts";
import { createComponentParser } from "../typescript/components.ts";

export const parseVue = createComponentParser("vue", readVue);

/** Takes the blocks of a file apart. */
function readVue(code: CodeWriter): ComponentSource {
  const { source } = code;
  const scripts: ScriptBlock[] = [];
  const sources: Span[] = [];
  const templates: { readonly tag: Tag; readonly end: number }[] = [];
  walkMarkup(code, 0, source.length, "text", {
    onOpen: () => undefined,
    onClose: (tag, end) => {
      const language = attributeText(source, tag, "lang") ?? "";
      if (tag.name === "script") {
        const isInstance = attributeText(source, tag, "setup") !== undefined;
        scripts.push({ start: tag.end, end, isInstance, language });
        const path = tag.attributes.find(({ name, form }) => name === "src" && form === "text");
        if (path !== undefined) sources.push([path.start - 1, path.end + 1]);
      } else if (tag.name === "template" && /^(?:html)?$/.test(language)) {
        templates.push({ tag, end });
      }
    },
  });
  const [template] = templates;
  if (template === undefined) {
    const start = Math.max(0, source.lastIndexOf("<script", scripts[0]?.start ?? 0));
    return { scripts, sources, start, end: source.length, props: "options" };
  }
  const { tag, end } = template;
  const words = scripts.map((script) => source.slice(script.start, script.end)).join("\n");
  const markup = new Template(code, words);
  walkMarkup(code, tag.end, end, "text", {
    onCode: (at) => markup.writeText(at, end),
    onOpen: (inner) => markup.open(inner),
  });
  return { scripts, sources, start: tag.at - 1, end, props: "options" };
}

/** Attributes of components that are no properties of theirs. */
const OF_ANY = /^(?:key|ref|is|slot|class|style)$/;
/** Imports, and names of declarations. */
const DECLARED = /\bimport\b([^;'"]*)['"]|\b(?:const|class|function)\s+(\w+)/g;

/** Writes what a template uses. */
class Template {
  readonly #code: CodeWriter;
  /** Words of scripts, and those of them that scripts import or declare. */
  readonly #words: ReadonlySet<string>;
  readonly #declared: ReadonlySet<string>;

  constructor(code: CodeWriter, words: string) {
    this.#code = code;
    this.#words = new Set(words.match(/(?<![\w$.])[\w$]+/g));
    this.#declared = new Set(
      [...words.matchAll(DECLARED)].flatMap(([, list = "", name = ""]) => [name, ...(list.match(/\w+/g) ?? [])]),
    );
  }

  writeText(opening: number, limit: number): number {
    const end = skipExpression(this.#code.source, opening, limit, "text");
    if (end > opening) this.#code.value([opening + 2, end - 1]);
    return end;
  }

  open({ name, at, attributes }: Tag): string | undefined {
    const code = this.#code;
    let closing = "";
    for (const attribute of attributes) {
      if (attribute.name === "v-pre") return undefined;
      if (attribute.name === "v-for" && this.#openLoop(attribute)) closing = "}";
    }
    writeTag(
      code,
      this.#componentOf(name),
      at,
      attributes.flatMap((attribute) => this.#read(attribute)),
    );
    const slot = attributes.find((it) => /^(?:v-slot|#|slot-scope$)/.test(it.name));
    if (slot?.form !== "text") return closing;
    code.wrap("((", [slot.start, slot.end], ")=>{");
    return `});${closing}`;
  }

  /** Opens the scope of a loop: `(item, index) in items` */
  #openLoop({ start, end }: Attribute): boolean {
    const { source } = this.#code;
    const [names, list] = splitCode(source, [start, end], ["in", "of"]);
    if (list === undefined) return false;
    const [, before = "", held = ""] = /^(\s*\(?)([\s\S]*?)\)?\s*$/.exec(source.slice(names[0], names[1])) ?? [];
    const first = start + before.length;
    const bound = splitCode(source, [first, first + held.length], [","]);
    openLoop(
      this.#code,
      [list[0], end],
      bound.map(([from, to]): Span => [from, to]),
    );
    return true;
  }

  #read({ name, at, start, end, form }: Attribute): GivenValue[] {
    const code = this.#code;
    const value: Span | undefined = form === "none" ? undefined : [start, end];
    const [, directive = "", argument = ""] = /^(v-[\w-]+|[:@#.])(?::?([^.]*))/.exec(name) ?? [];
    const property = camelize(argument);
    const place = at + name.indexOf(argument, directive.length);
    switch (directive) {
      case "":
        if (name === "ref" && value !== undefined) return this.#nameOf(code.source.slice(start, end), start);
        return OF_ANY.test(name) ? [] : [{ name: camelize(name), at }];
      case "v-for":
      case "v-slot":
      case "#":
        return [];
      case ":":
      case ".":
      case "v-bind": {
        // `:title` is `:title="title"`.
        const isSame = property === argument;
        const same = isSame ? ([place, place + argument.length] as const) : () => code.addAt(place, property);
        return [
          {
            name: OF_ANY.test(argument) ? "" : property,
            at: place,
            value: value ?? (argument === "" ? undefined : same),
          },
        ];
      }
      case "@":
      case "v-on":
        return value === undefined ? [] : [{ name: "", at, value: () => this.#writeHandler(value) }];
      case "v-model": {
        if (value === undefined) return [];
        const given = argument === "" ? { name: "modelValue", at } : { name: property, at: place };
        return [{ ...given, value: () => code.wrap("((", value, ")=0)") }];
      }
      default: {
        const named = BUILT_IN.has(directive) ? [] : this.#nameOf(camelize(directive), at);
        return [...named, { name: "", at, value }];
      }
    }
  }

  #writeHandler(value: Span): void {
    const isFunction = /^\s*(?:async\s+)?function\b/.test(this.#code.source.slice(...value));
    this.#code.wrap(isFunction ? "(($event)=>{(" : "(($event)=>{", value, isFunction ? "\n)})" : "\n})");
  }

  /** A name of the scripts that stands in the markup as such. */
  #nameOf(name: string, at: number): GivenValue[] {
    return this.#words.has(name) ? [{ name: "", at, value: () => this.#code.addAt(at, name) }] : [];
  }

  /** The name by which scripts know a component; undefined for elements of HTML, which local variables may be called like. */
  #componentOf(tag: string): string | undefined {
    if (/^(?=[A-Z]|.*\.)[\w$.]+$/.test(tag)) return tag;
    const camel = camelize(tag);
    return [camel, camel.replace(/^./, (letter) => letter.toUpperCase())].find(
      (name) => (name === tag || tag.includes("-")) && this.#declared.has(name),
    );
  }
}

const BUILT_IN: ReadonlySet<string> = new Set(
  "v-if v-else-if v-else v-show v-html v-text v-once v-memo v-cloak v-pre v-is".split(" "),
);

function camelize(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
