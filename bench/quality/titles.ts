/**
 * Titles of pages as questions: as they are written, and with a slip in them. Each is known to be answered by its page.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of which nobody else has the title. */
export interface TitledPage {
  readonly path: string;
  readonly title: string;
}

/** Lines of each Markdown file of a folder, by its path with slashes, in the order of paths. */
export function readPages(dir: string): ReadonlyMap<string, readonly string[]> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.mdx?$/.test(name))
    .sort();
  return new Map(
    names.map((name) => [
      name.replaceAll("\\", "/"),
      readFileSync(join(dir, name), "utf8").replace(/\r\n/g, "\n").split("\n"),
    ]),
  );
}

/** Pages with a title that one page has: its frontmatter's, else its first heading of level 1. */
export function listTitles(pages: ReadonlyMap<string, readonly string[]>): TitledPage[] {
  const titles = new Map<string, TitledPage[]>();
  for (const [path, lines] of pages) {
    const end = lines[0] === "---" ? lines.indexOf("---", 1) : 0;
    const given = lines.slice(0, end).find((line) => line.startsWith("title:"));
    const heading = lines.find((line) => line.startsWith("# "));
    const written = (given?.slice("title:".length) ?? heading?.slice(2) ?? "").trim();
    const title = written.replace(/^(["'])(.*)\1$/, "$2").replace(/[`*]/g, "");
    if (title === "") continue;
    const key = title.toLowerCase();
    titles.set(key, [...(titles.get(key) ?? []), { path, title }]);
  }
  return [...titles.values()].filter((list) => list.length === 1).flat();
}

/** The text with two neighbouring letters swapped inside one of its longest words. */
export function swapLetters(text: string, random: () => number): string {
  const words = [...text.matchAll(/[A-Za-z]{4,}/g)].sort((a, b) => b[0].length - a[0].length);
  const word = words[Math.floor(random() * Math.min(2, words.length))];
  if (word === undefined) return text;
  const at = word.index + 1 + Math.floor(random() * (word[0].length - 2));
  return `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
}
