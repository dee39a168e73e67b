/**
 * Explicit ids at the end of a heading: `{#install}`, `{: #install}` and, as a comment for MDX,
 * `{/* #install *\/}` or `{/*install*\/}` (the form of react.dev: one word and no spaces).
 *
 * Pure: text in, values out. No I/O, no clock.
 */

const ATTRIBUTES = /^:?\s*#([^\s{}]+)(?:\s[^{}]*)?$/;
const COMMENT = /^\/\*(?:\s*#([^\s*]+)\s*|([\w.-]+))\*\/$/;

/** A heading's content in two. */
export interface HeadingContent {
  readonly text: string;
  /** `""` when the heading has no explicit id. */
  readonly id: string;
}

/** Takes the explicit id off the end of a heading's content. */
export function splitHeadingId(content: string): HeadingContent {
  const trimmed = content.trimEnd();
  if (!trimmed.endsWith("}")) return { text: content, id: "" };
  const open = trimmed.lastIndexOf("{");
  if (open < 0) return { text: content, id: "" };
  const inner = trimmed.slice(open + 1, -1).trim();
  const comment = COMMENT.exec(inner);
  const id = ATTRIBUTES.exec(inner)?.[1] ?? comment?.[1] ?? comment?.[2] ?? "";
  return id === "" ? { text: content, id } : { text: trimmed.slice(0, open).trimEnd(), id };
}
