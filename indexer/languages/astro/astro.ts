/** Components of Astro: what stands between the dashes, scripts for browsers, and what the markup uses. */

import { createComponentParser } from "../typescript/components.ts";
import {
  type Attribute,
  attributeText,
  type CodeWriter,
  type ComponentSource,
  type GivenValue,
  type MarkupParts,
  readShort,
  type ScriptBlock,
  skipCode,
  walkMarkup,
  writeTag,
} from "../typescript/markup.ts";

export const parseAstro = createComponentParser("astro", readAstro);

/** Types of scripts that browsers run. */
const RUN = /^(?:module|text\/javascript|application\/javascript|text\/typescript)?$/;

function readAstro(code: CodeWriter): ComponentSource {
  const { source } = code;
  const scripts: ScriptBlock[] = [];
  const [, opening] = /^(\s*(?:<!--[\s\S]*?-->\s*)*---)/.exec(source) ?? [];
  let start = 0;
  if (opening !== undefined) {
    const close = /(?<=\n)[ \t]*---/g;
    close.lastIndex = opening.length;
    const end = close.exec(source)?.index ?? source.length;
    scripts.push({ start: opening.length, end, isInstance: true, language: "ts" });
    start = close.lastIndex === 0 ? source.length : close.lastIndex;
  }
  walkMarkup(code, start, source.length, "values", partsOf(code, scripts, false));
  const first = start + (/\S/.exec(source.slice(start))?.index ?? 0);
  return { scripts, start: first, end: source.length, props: "interface" };
}

function partsOf(code: CodeWriter, scripts: ScriptBlock[], isOne: boolean): MarkupParts {
  const { source } = code;
  /** Copies code up to its closing brace; markup in it becomes a function. */
  const copyCode = (start: number, limit: number): number => {
    let copied = start;
    const onMarkup = (at: number): number => {
      code.copy(copied, at);
      code.add("(async()=>{");
      copied = walkMarkup(code, at, limit, "values", partsOf(code, scripts, true));
      code.add("})");
      return copied;
    };
    const end = skipCode(source, start, limit, { onMarkup });
    code.copy(copied, end);
    return end;
  };
  const read = (attribute: Attribute): GivenValue => {
    const { name, at, start, end, form } = attribute;
    const short = name === "" ? readShort(source, attribute) : undefined;
    if (short !== undefined && short.name !== "") return short;
    const value = (): void =>
      code.wrap(name === "" ? "[" : "(", () => void copyCode(start, end), name === "" ? "\n]" : "\n)");
    return { name, at, value: form === "code" ? value : undefined };
  };
  return {
    isOne,
    onCode: (at) => {
      code.add("[");
      const end = copyCode(at + 1, source.length);
      code.add("\n];");
      return end;
    },
    onOpen: (tag) => {
      const isComponent = /^[A-Z][\w$.]*$|^[\w$]+\.[\w$.]+$/.test(tag.name);
      writeTag(code, isComponent ? tag.name : undefined, tag.at, tag.attributes.map(read));
      return tag.attributes.some(({ name }) => name === "is:raw") ? undefined : "";
    },
    onClose: (tag, end) => {
      if (tag.name !== "script" || tag.isClosed || !RUN.test(attributeText(source, tag, "type") ?? "")) return;
      scripts.push({ start: tag.end, end, isInstance: true, isApart: true, language: "ts" });
    },
  };
}
