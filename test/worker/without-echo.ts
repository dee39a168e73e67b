/** What an answer tells whoever asks, beside what they wrote themselves. */

/** What an answer says beside what it was asked: texts as they were sent, and their words where they stand alone. */
export function withoutEcho(answer: string, asked: readonly string[]): string {
  const said = asked.flatMap((text) => [
    text,
    text.split("#")[0] ?? "",
    // A target without its line, and a name without what is asked of it.
    text.replace(/:\d+$| [a-z]+$/, ""),
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
  ]);
  const rest = said
    .filter((text) => text.length > 1)
    .sort((a, b) => b.length - a.length)
    .reduce((left, text) => left.replaceAll(text.toLowerCase(), "…"), answer.toLowerCase());
  const words = new Set(asked.flatMap((text) => text.toLowerCase().match(/[a-z]{3,}/g) ?? []));
  return [...words].reduce(
    (left, word) => left.replace(new RegExp(`(?<![\\w/:#@-])${word}(?![\\w/:#@-]|\\.\\w)`, "g"), "…"),
    rest,
  );
}

/** All texts of a value: names of its members, and what is in them. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
    : [];
}
