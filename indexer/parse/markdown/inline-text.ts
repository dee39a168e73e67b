/**
 * The visible text and the links of inline Markdown: of one paragraph, heading or table cell.
 *
 * Pure: text in, values out. No I/O, no clock.
 */
import type Token from "markdown-it/lib/token.mjs";
import { cutPlace } from "../../../src/core/text/cut-text.ts";
import { parseInline } from "./engine.ts";
import type { ParseEnvironment } from "./parse-environment.ts";
import type { Tag } from "./tag.ts";
import { addTag } from "./tag-text.ts";
import { type RunLink, TextRun } from "./text-run.ts";
import { TAG_TOKEN } from "./token-types.ts";

/** Longer content is parsed in pieces: what markdown-it keeps in memory grows with the content. */
const MAX_INLINE_CHARS = 16_000;

/** What inline Markdown shows. */
export interface InlineText {
  readonly text: string;
  readonly links: readonly RunLink[];
  /** Id of an `<a id>` or `<a name>` within; `""` when there is none. */
  readonly anchor: string;
}

/** The text and links of inline Markdown. */
export function readInline(content: string, environment: ParseEnvironment): InlineText {
  const run = new TextRun();
  for (let start = 0; start < content.length; ) {
    const end = findPieceEnd(content, start);
    const piece = start === 0 && end === content.length ? content : content.slice(start, end);
    addTokens(run, parseInline(piece, environment));
    start = end;
  }
  const text = run.finish();
  return { text, links: run.links, anchor: run.anchor };
}

function addTokens(run: TextRun, tokens: readonly Token[]): void {
  for (const token of tokens) {
    switch (token.type) {
      case "text":
      case "text_special":
        run.addText(token.content);
        break;
      case "code_inline":
        run.addCode(token.content);
        break;
      case "softbreak":
      case "hardbreak":
        run.addSpace();
        break;
      case "link_open":
        run.openLink(token.attrGet("href") ?? "");
        break;
      case "link_close":
        run.closeLink();
        break;
      case "image":
        run.addSpace();
        addTokens(run, token.children ?? []);
        run.addSpace();
        break;
      case TAG_TOKEN: {
        const tag: Tag = token.meta;
        addTag(run, tag);
        break;
      }
      default:
        // Emphasis, comments and marks of footnotes show nothing of their own.
        break;
    }
  }
}

function findPieceEnd(content: string, start: number): number {
  const end = start + MAX_INLINE_CHARS;
  if (end >= content.length) return content.length;
  const space = Math.max(content.lastIndexOf("\n", end), content.lastIndexOf(" ", end));
  if (space > start) return space;
  return cutPlace(content, end);
}
