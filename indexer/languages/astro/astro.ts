/** Components of Astro: what stands between the dashes, scripts for browsers, and what the markup uses. */
import type { Language } from "../base/language.ts";
import {
  type Attribute,
  type CodeWriter,
  type ComponentSource,
  type GivenProperty,
  type ScriptBlock,
  type Span,
  skipCode,
  type Tag,
  walkMarkup,
  writeComponent,
} from "../base/markup.ts";
import { TYPESCRIPT } from "../typescript/typescript.ts";

export const ASTRO: Language = {
  parser: {
    languages: ["astro"],
    load: async () => (await import("../typescript/components.ts")).createComponentParser("astro", readAstro),
  },
  family: TYPESCRIPT.family,
};

/** Types of scripts that browsers run. */
const RUN = /^(?:module|text\/javascript|application\/javascript|text\/typescript)?$/;

function readAstro(text: string): ComponentSource {
  const scripts: ScriptBlock[] = [];
  const [, opening] = /^(\s*(?:<!--[\s\S]*?-->\s*)*---)/.exec(text) ?? [];
  let start = 0;
  if (opening !== undefined) {
    const close = /(?<=\n)[ \t]*---/g;
    close.lastIndex = opening.length;
    const found = close.exec(text);
    const end = found?.index ?? text.length;
    scripts.push({ start: opening.length, end, isInstance: true, language: "ts" });
    start = found === null ? text.length : close.lastIndex;
  }
  walkMarkup(text, start, text.length, "values", {
    onClose: (tag) => {
      if (tag.name !== "script" || tag.isClosed) return;
      const type = tag.attributes.find(({ name }) => name === "type");
      if (type !== undefined && !RUN.test(text.slice(type.start, type.end))) return;
      const close = text.indexOf("</script", tag.end);
      const end = close < 0 ? text.length : close;
      scripts.push({ start: tag.end, end, isInstance: true, isApart: true, language: "ts" });
    },
  });
  return {
    scripts,
    start: start + (/\S/.exec(text.slice(start))?.index ?? 0),
    end: text.length,
    props: "interface",
    write: (code) => {
      code.add("[");
      new Markup(code).write(start, text.length, false);
      code.add("]");
    },
  };
}

/** Writes what markup uses, as items of a list. */
class Markup {
  readonly #code: CodeWriter;

  constructor(code: CodeWriter) {
    this.#code = code;
  }

  write(start: number, end: number, isOne: boolean): number {
    return walkMarkup(this.#code.source, start, end, "values", {
      isOne,
      onCode: (at) => {
        const close = this.#copyCode(at, end, "[", "]");
        this.#code.add(",");
        return close;
      },
      onOpen: (tag) => this.#open(tag),
    });
  }

  /** Copies code up to its closing brace; markup in it becomes a list. */
  #copyCode(start: number, limit: number, opening: string, closing: string): number {
    const code = this.#code;
    let copied = start;
    code.add(opening);
    const onMarkup = (at: number): number => {
      code.copy(copied, at);
      code.add("[");
      copied = this.write(at, limit, true);
      code.add("]");
      return copied;
    };
    const end = skipCode(code.source, start, limit, { onMarkup });
    code.copy(copied, end);
    code.add(`\n${closing}`);
    return end;
  }

  #open(tag: Tag): boolean {
    const code = this.#code;
    const isComponent = /^[A-Z][\w$.]*$|^[\w$]+\.[\w$.]+$/.test(tag.name);
    const given: GivenProperty[] = [];
    for (const attribute of tag.attributes) this.#readAttribute(attribute, given, isComponent);
    if (isComponent) {
      writeComponent(code, tag.name, tag.at, given);
      code.add(",");
    }
    return !tag.attributes.some(({ name }) => name === "is:raw");
  }

  #readAttribute({ name, at, start, end, form }: Attribute, given: GivenProperty[], isComponent: boolean): void {
    const code = this.#code;
    const value = (): void => void this.#copyCode(start, end, "(", ")");
    const [, word] =
      name === "" ? (/^\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(code.source.slice(start, end)) ?? []) : [];
    const property = word ?? name;
    if (isComponent && property !== "") {
      const place = word === undefined ? at : start + code.source.slice(start, end).indexOf(word);
      const short: Span | undefined = word === undefined ? undefined : [place, place + word.length];
      given.push({ name: property, at: place, ...(form === "code" && { value: short ?? value }) });
    } else if (form === "code") {
      this.#copyCode(start, end, "[", "]");
      code.add(",");
    }
  }
}
