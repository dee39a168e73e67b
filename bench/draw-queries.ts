/**
 * Searches drawn from a folder of pages, always the same ones.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeRandom, shuffle } from "./random.ts";

/** Half headings, half one to five words drawn by how often they stand in the pages below a folder. */
export function drawQueries(folder: string, count: number): string[] {
  const random = makeRandom(1);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.mdx?$/.test(name));
  const headings: string[] = [];
  const words: string[] = [];
  for (const name of shuffle(files.sort(), random).slice(0, 400)) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, heading = ""] of text.matchAll(/^#{1,4} (.{3,80})$/gm)) headings.push(heading);
    for (const [word] of text.matchAll(/[a-z]{4,14}/g)) words.push(word);
  }
  const pick = (): string => words[Math.floor(random() * words.length)] ?? "";
  const drawn = Array.from({ length: Math.ceil(count / 2) }, (_, at) =>
    Array.from({ length: 1 + (at % 5) }, pick).join(" "),
  );
  return [...drawn, ...shuffle(headings, random).slice(0, Math.floor(count / 2))];
}
