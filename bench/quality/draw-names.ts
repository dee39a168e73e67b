/**
 * Draws the names of `questions/names-*.json`: what somebody types who knows how a page is called. Which page is right
 * follows from the files alone; no search has a part in it.
 *
 *   node bench/quality/draw-names.ts [NAME…]
 *
 * The same versions and seed give the same files. A name that more than three pages have is left out; one that two or
 * three have counts for each of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchPackage } from "../corpora/fetch-package.ts";
import { makeRandom, shuffle } from "../random.ts";
import { readPages } from "./titles.ts";

/** A name in one of its spellings, and the pages that have it. */
interface Name {
  readonly kind: "title" | "file" | "folder-file" | "rule" | "heading" | "alias";
  readonly text: string;
  readonly pages: readonly string[];
}

/** What a page is called by. */
interface Page {
  readonly path: string;
  /** Frontmatter's title, else the first heading of level 1, else the file name without its ending. */
  readonly title: string;
  readonly isTitled: boolean;
  readonly headings: readonly string[];
  readonly lines: readonly string[];
}

interface Recipe {
  readonly package: string;
  readonly version: string;
  readonly folder: string;
  readonly counts: Partial<Record<Name["kind"], number>>;
  /** Rules, options, functions, errors or commands, and other names of a page, each with its spellings. */
  readonly listOwn: (pages: readonly Page[]) => readonly Candidate[];
}

/** A name before one of its spellings is drawn. */
interface Candidate {
  readonly kind: Name["kind"];
  readonly spellings: readonly string[];
  readonly pages: readonly string[];
}

const SEED = 24;
const MOST_PAGES = 3;
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/treeline-bench", import.meta.url));
const KIND_WORDS = /(?: component| api| api reference| reference| overview|\(\)|\.js)$/i;
/** Headings that say nothing of what they are about, with their page's title or without. */
const COMMON_HEADINGS = /^(?:introduction|overview|examples?|import|see also|synopsis|description|configuration)$/i;

const RECIPES: Readonly<Record<string, Recipe>> = {
  "typescript-eslint": {
    package: "@typescript-eslint/eslint-plugin",
    version: "7.18.0",
    folder: "docs",
    counts: { file: 20, "folder-file": 20, rule: 40, heading: 20 },
    listOwn: (pages) =>
      pages
        .filter(({ path }) => path.endsWith(".mdx"))
        .map(({ path }) => {
          const rule = stemOf(path);
          return { kind: "rule", spellings: [rule, `@typescript-eslint/${rule}`, ...respell(rule)], pages: [path] };
        }),
  },
  npm: {
    package: "npm",
    version: "12.2.2",
    folder: "docs/content",
    counts: { title: 15, file: 15, "folder-file": 15, rule: 20, heading: 17, alias: 18 },
    listOwn: (pages) => [
      ...listOptions(pages),
      ...pages
        .filter(({ path }) => path.startsWith("commands/npm-"))
        .flatMap(({ path, lines }) => {
          const command = stemOf(path).slice("npm-".length);
          const aliases = /^alias(?:es)?: (.+)$/m.exec(lines.join("\n"))?.[1]?.split(/,\s*/) ?? [];
          return [
            { kind: "rule" as const, spellings: [`npm ${command}`], pages: [path] },
            ...aliases.map((alias) => ({ kind: "alias" as const, spellings: [`npm ${alias}`], pages: [path] })),
          ];
        }),
    ],
  },
  ai: {
    package: "ai",
    version: "7.0.173",
    folder: "docs",
    counts: { title: 25, file: 15, "folder-file": 15, rule: 25, heading: 20 },
    listOwn: (pages) =>
      pages
        .filter(({ title }) => /^\w+$/.test(title) && /[a-z][A-Z]|_/.test(title))
        .map(({ path, title }) => {
          const bare = title.replace(/^(?:AI|experimental)_/, "");
          return { kind: "rule", spellings: [...new Set([title, bare, ...respell(bare)])], pages: [path] };
        }),
  },
};

for (const [name, recipe] of Object.entries(RECIPES)) {
  if (process.argv.length > 2 && !process.argv.includes(name)) continue;
  const dir = join(await fetchPackage(recipe.package, recipe.version, CACHE), recipe.folder);
  const { counts, listOwn, ...source } = recipe;
  const questions = drawNames(readNamedPages(dir), counts, listOwn).map(({ kind, text, pages }) =>
    JSON.stringify({ text, kind, pages }),
  );
  const head = JSON.stringify(source).slice(0, -1);
  const file = fileURLToPath(new URL(`questions/names-${name}.json`, import.meta.url));
  writeFileSync(file, `${head}, "questions": [\n${questions.join(",\n")}\n]}\n`);
  console.log(`${file}: ${questions.length}`);
}

/** Draws so many names of each kind, no text twice whatever its case. */
function drawNames(pages: readonly Page[], counts: Recipe["counts"], listOwn: Recipe["listOwn"]): Name[] {
  const random = makeRandom(SEED);
  const candidates = joinByName([...listNames(pages), ...listOwn(pages)]);
  const texts = new Set<string>();
  const drawn: Name[] = [];
  for (const [kind, count] of Object.entries(counts)) {
    let left = count;
    for (const { spellings, pages: right } of shuffle(
      candidates.filter((candidate) => candidate.kind === kind),
      random,
    )) {
      const text = spellings[Math.floor(random() * spellings.length)] as string;
      if (left === 0) break;
      if (right.length > MOST_PAGES || texts.has(text.toLowerCase())) continue;
      texts.add(text.toLowerCase());
      drawn.push({ kind: kind as Name["kind"], text, pages: right });
      left--;
    }
    if (left > 0) throw new Error(`${kind}: ${left} names too few`);
  }
  return drawn;
}

/** Titles, file names with and without folder, and headings with their page's title. */
function listNames(pages: readonly Page[]): Candidate[] {
  return pages.flatMap(({ path, title, isTitled, headings }): Candidate[] => {
    const [ending = ""] = /\.\w+$/.exec(path) ?? [];
    const stem = stemOf(path);
    const folder = path.split("/").at(-2);
    const plainFolder = folder?.replace(/^\d+-/, "");
    const written = /([^/]+)\.\w+$/.exec(path)?.[1] ?? "";
    const short = title.replace(KIND_WORDS, "");
    return [
      ...(isTitled ? [{ kind: "title" as const, spellings: [title, title.toLowerCase(), short], pages: [path] }] : []),
      ...(/^index$/i.test(stem)
        ? []
        : [{ kind: "file" as const, spellings: [`${written}${ending}`, `${stem}${ending}`, stem], pages: [path] }]),
      ...(folder === undefined
        ? []
        : [
            {
              kind: "folder-file" as const,
              spellings: [`${folder}/${written}${ending}`, `${plainFolder}/${stem}${ending}`, `${plainFolder}/${stem}`],
              pages: [path],
            },
          ]),
      ...headings
        .filter((heading) => !COMMON_HEADINGS.test(heading) && keyOf(heading) !== keyOf(title))
        .map((heading) => ({
          kind: "heading" as const,
          spellings: [`${title} ${heading}`, `${heading} ${title}`, `${title} ${heading}`.toLowerCase()],
          pages: [path],
        })),
    ];
  });
}

/**
 * npm's options, by the headings of level 4 that name them: in the list of all options and with each command. Without the
 * names of commands; an option of one word only with its dashes.
 */
function listOptions(pages: readonly Page[]): Candidate[] {
  const commands = new Set(pages.map(({ path }) => stemOf(path).replace(/^npm-/, "")));
  return pages.flatMap(({ path, lines }) =>
    lines.flatMap((line) => {
      const option = /^#### `([a-z][a-z-]+)`$/.exec(line)?.[1];
      if (option === undefined || commands.has(option)) return [];
      const spellings = [`--${option}`, ...(option.includes("-") ? [option, ...respell(option)] : [])];
      return [{ kind: "rule" as const, spellings, pages: [path] }];
    }),
  );
}

/**
 * Candidates of one kind with the same name joined, with the pages of all. A page whose title or file is called the same
 * is right as well.
 */
function joinByName(candidates: readonly Candidate[]): Candidate[] {
  const called = new Map<string, Set<string>>();
  const joined = new Map<string, Candidate>();
  for (const { kind, spellings, pages } of candidates) {
    const keys = new Set(spellings.map(keyOf));
    if (kind === "heading" || kind === "alias") continue;
    for (const key of keys) called.set(key, new Set([...(called.get(key) ?? []), ...pages]));
  }
  for (const { kind, spellings, pages } of candidates) {
    const key = `${kind} ${keyOf(spellings[0] ?? "")}`;
    const right = new Set([...(joined.get(key)?.pages ?? []), ...pages]);
    for (const spelling of spellings) for (const page of called.get(keyOf(spelling)) ?? []) right.add(page);
    joined.set(key, { kind, spellings: [...new Set(spellings)], pages: [...right].sort() });
  }
  return [...joined.values()];
}

/** Joined, split and differently separated forms of an identifier. */
function respell(name: string): string[] {
  const words = name
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "");
  if (words.length < 2) return [];
  const lower = words.map((word) => word.toLowerCase());
  const pascal = lower.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("");
  const camel = `${pascal.slice(0, 1).toLowerCase()}${pascal.slice(1)}`;
  return [...new Set([lower.join("-"), lower.join("_"), lower.join(" "), pascal, camel])].filter(
    (form) => form !== name,
  );
}

/** File name without ending and number in front. */
function stemOf(path: string): string {
  return (/([^/]+)\.\w+$/.exec(path)?.[1] ?? path).replace(/^\d+-/, "");
}

function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function readNamedPages(dir: string): Page[] {
  return [...readPages(dir)].map(([path, lines]) => {
    const body = lines[0] === "---" ? lines.indexOf("---", 1) + 1 : 0;
    const given = lines.slice(0, body).find((line) => line.startsWith("title:"));
    let isFenced = false;
    const headings: { level: number; text: string }[] = [];
    for (const line of lines.slice(body)) {
      if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
      const [, marks = "", text = ""] = (isFenced ? null : /^(#{1,3}) (.+)$/.exec(line)) ?? [];
      if (text !== "") headings.push({ level: marks.length, text: plain(text) });
    }
    const written = given?.slice("title:".length) ?? headings.find(({ level }) => level === 1)?.text;
    const title = written?.trim().replace(/^(["'])(.*)\1$/, "$2") ?? "";
    const below = headings.filter(({ level }) => level > 1).map(({ text }) => text);
    return { path, title: title || stemOf(path), isTitled: title !== "", headings: [...new Set(below)], lines };
  });
}

/** A heading without its markup. */
function plain(heading: string): string {
  return heading
    .replace(/\s*\{#[^}]*\}|<[^>]+>/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .trim();
}
