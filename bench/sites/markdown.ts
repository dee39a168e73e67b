/** Markdown of packages, made fit for generators that read it in another way. */

/** Front matter as text, and what follows it. */
export function splitFrontMatter(text: string): { readonly front: string; readonly body: string } {
  const [, front = "", body = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return { front, body };
}

/** A value of front matter that is on one line. */
export function readKey(front: string, key: string): string | undefined {
  return new RegExp(`^${key}: *["']?(.*?)["']? *$`, "m").exec(front)?.[1];
}

/** Change text outside of fences and code. */
export function changeProse(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^ *(```+|~~~+)[\s\S]*?^ *\2[ \t]*$|`[^`\n]+`)/m)
    .map((part, place) => (place % 3 === 0 ? change(part) : place % 3 === 1 ? part : ""))
    .join("");
}

/** Texts without a meaning to Vue: no expressions, and no elements that HTML does not know. */
export function quoteForVue(text: string): string {
  return changeProse(text, (prose) =>
    prose
      .replaceAll("{{", "{ {")
      .replace(/<(?!\/?(?:a|b|br|code|em|i|img|kbd|li|p|strong|sup|table|td|th|tr|ul)\b|!--|https?:)/g, "&lt;"),
  );
}
