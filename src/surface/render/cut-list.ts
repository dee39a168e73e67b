/** Lists in a line: the first of them, and how many more there are. Pure. */

/** The first `most` of some texts, and `+n` for the others. */
export function cutList(texts: readonly string[], most: number, total = texts.length): string[] {
  const shown = texts.slice(0, most);
  const left = total - shown.length;
  return left > 0 ? [...shown, `+${left}`] : shown;
}
