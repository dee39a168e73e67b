/** Components of Vue: scripts, and what templates use of them. */

import { createComponentParser } from "../typescript/components.ts";
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
} from "../typescript/markup.ts";

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
  const isSetup = scripts.some(({ isInstance }) => isInstance);
  const markup = new Template(code, words, isSetup);
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
  /** What scripts import or declare. */
  readonly #declared: ReadonlySet<string>;
  /** Whether what it declares are names of the template, those of elements with `ref`, too. */
  readonly #isSetup: boolean;

  constructor(code: CodeWriter, words: string, isSetup: boolean) {
    this.#code = code;
    this.#isSetup = isSetup;
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
    const find = (wanted: string) => attributes.find((attribute) => attribute.name === wanted);
    if (find("v-pre") !== undefined) return undefined;
    const loop = find("v-for");
    const closing = loop !== undefined && this.#openLoop(loop) ? "}" : "";
    const given = attributes.flatMap((attribute) => this.#read(attribute));
    writeTag(code, this.#componentOf(name), at, given);
    const slot = attributes.find((it) => /^(?:v-slot|#|slot-scope$)/.test(it.name));
    if (slot?.form !== "text") return closing;
    code.wrap("((", [slot.start, slot.end], ")=>{");
    return `});${closing}`;
  }

  /** Opens the scope of a loop: `(item, index) in items` */
  #openLoop({ start, end }: Attribute): boolean {
    const { source } = this.#code;
    const [names, list] = splitCode(source, [start, end], ["in", "of"]);
    if (names === undefined || list === undefined) return false;
    const [, before = "", held = ""] = /^(\s*\(?)([\s\S]*?)\)?\s*$/.exec(source.slice(names[0], names[1])) ?? [];
    const first = start + before.length;
    const bound = splitCode(source, [first, first + held.length], [","]);
    openLoop(this.#code, [list[0], end], bound);
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
        if (name === "ref" && this.#isSetup && !/[^\w$]/.test(code.source.slice(start, end))) {
          return [{ name: "", at, value }];
        }
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
        const read = value ?? (argument === "" ? undefined : same);
        return [{ name: OF_ANY.test(argument) ? "" : property, at: place, value: read }];
      }
      case "@":
      case "v-on":
        return value === undefined ? [] : [{ name: "", at, value: () => this.#writeHandler(value) }];
      case "v-model": {
        if (value === undefined) return [];
        const given = argument === "" ? { name: "modelValue", at } : { name: property, at: place };
        return [{ ...given, value: () => code.wrap("((", value, ")=0)") }];
      }
      default:
        // `v-focus` is `vFocus` of the scripts.
        if (this.#declared.has(camelize(directive))) code.addAt(at, `${camelize(directive)};`);
        return [{ name: "", at, value }];
    }
  }

  #writeHandler(value: Span): void {
    const isFunction = /^\s*(?:async\s+)?function\b/.test(this.#code.source.slice(...value));
    this.#code.wrap(isFunction ? "(($event)=>{(" : "(($event)=>{", value, isFunction ? "\n)})" : "\n})");
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

function camelize(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
