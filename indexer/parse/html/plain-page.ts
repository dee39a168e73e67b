/**
 * The words of a page whose tree cannot be built in bounded time: what stands between its tags, block after block.
 *
 * Pure.
 */
import { type TokenHandler, Tokenizer, TokenizerMode } from "parse5";
import { foldWhitespace } from "../markdown/source-text.ts";
import { BLOCK_NAMES } from "./block-names.ts";

/** Elements whose text is nothing to read, with the mode in which a tokenizer passes them over. */
const RAW_NAMES: Readonly<Record<string, number>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
};

/** Paragraphs of a page, and the text of its `<title>`. */
export function readPlainPage(html: string): { readonly title: string; readonly paragraphs: readonly string[] } {
  const paragraphs: string[] = [];
  let parts: string[] = [];
  let title = "";
  let raw = "";
  const flush = (): void => {
    const text = foldWhitespace(parts.join(""));
    if (text !== "") paragraphs.push(text);
    parts = [];
  };
  const takeText = ({ chars }: { readonly chars: string }): void => {
    if (raw === "") parts.push(chars);
    else if (raw === "title") title += chars;
  };
  const handler: TokenHandler = {
    onStartTag({ tagName }) {
      if (BLOCK_NAMES.has(tagName)) flush();
      const mode = RAW_NAMES[tagName];
      if (mode === undefined || !Object.hasOwn(RAW_NAMES, tagName)) return;
      raw = tagName;
      tokenizer.state = mode as typeof tokenizer.state;
    },
    onEndTag({ tagName }) {
      if (tagName === raw) raw = "";
      if (BLOCK_NAMES.has(tagName)) flush();
    },
    onCharacter: takeText,
    onWhitespaceCharacter: takeText,
    onNullCharacter: () => undefined,
    onComment: () => undefined,
    onDoctype: () => undefined,
    onEof: () => undefined,
  };
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler);
  tokenizer.write(html, true);
  flush();
  return { title: foldWhitespace(title), paragraphs };
}
