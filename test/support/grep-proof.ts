/**
 * Patterns as agents write them, drawn from the lines of real files, and the comparison of `grep` with ripgrep over them.
 */
import { spawnSync } from "node:child_process";
import { shuffle } from "../../bench/random.ts";

/** A pattern with what it was made as. */
export interface DrawnPattern {
  readonly kind: string;
  readonly pattern: string;
  readonly word: boolean;
}

/** Asks the tool as JSON. */
export type AskJson = (given: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

/** How the answers to a pattern compare. `calls` follow cursors. */
export interface Compared extends DrawnPattern {
  readonly expected: number;
  readonly found: number;
  readonly calls: number;
  /** True where the first answer said that it is whole. */
  readonly isWhole: boolean;
  /** Empty where both agree. */
  readonly fault: string;
}

const METACHARACTERS = /[\\^$.*+?()[\]{}|]/g;
const MOST_OUTPUT = 1 << 29;

/** Patterns of several kinds from the lines of files. */
export function drawPatterns(texts: readonly string[], count: number, random: () => number): DrawnPattern[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const lines = shuffle(texts, random)
    .slice(0, Math.min(texts.length, count * 4))
    .flatMap((text) => shuffle(text.split(/\r?\n/), random).slice(0, 4))
    .filter((line) => line.trim().length > 3 && line.length < 2000);
  const piece = (line: string): string => {
    const length = 2 + Math.floor(random() * 28);
    const from = Math.floor(random() * Math.max(1, line.length - length));
    return line.slice(from, from + length);
  };
  const words = (line: string): string[] => line.match(/\w+/g) ?? [];
  const makers: Readonly<Record<string, (line: string) => string>> = {
    literal: (line) => escapeText(piece(line)),
    raw: (line) => piece(line).trim(),
    word: (line) => pick(words(line)) ?? "",
    choice: (line) => [pick(words(line)), pick(words(pick(lines)))].filter((word) => word !== undefined).join("|"),
    start: (line) => `^\\s*${escapeText(line.trim().slice(0, 4 + Math.floor(random() * 10)))}`,
    end: (line) => `${escapeText(line.slice(-(2 + Math.floor(random() * 8))))}$`,
    classes: (line) =>
      escapeText(piece(line))
        .replace(/[0-9]+/g, "\\d+")
        .replace(/(?<!\\)[a-z]{4,}/, "[a-z]+")
        .replace(/ /g, "\\s"),
    between: (line) => {
      const all = words(line);
      const at = Math.floor(random() * all.length);
      return `${all[at] ?? "a"}.*${all[at + 1] ?? "e"}`;
    },
    short: (line) => escapeText(line.trim().slice(0, 2)),
  };
  const kinds = Object.keys(makers);
  return Array.from({ length: count }, (_, at): DrawnPattern => {
    const kind = kinds[at % kinds.length] as string;
    for (;;) {
      const pattern = (makers[kind] as (line: string) => string)(pick(lines));
      if (pattern.trim() !== "" && !/[\n\r\uFEFF\uFFFD]/.test(pattern))
        return { kind, pattern, word: kind === "word" && random() < 0.5 };
    }
  });
}

function escapeText(text: string): string {
  return text.replace(METACHARACTERS, "\\$&");
}

/** Lines that ripgrep finds in these files, by path; undefined where it takes the pattern for no expression. */
function countWithRg(
  dir: string,
  files: readonly string[],
  { pattern, word }: DrawnPattern,
  isText: boolean,
): Map<string, number> | undefined {
  const options = [
    "--no-config",
    "--text",
    "--with-filename",
    "--null",
    "--count",
    ...(word ? ["-w"] : []),
    ...(isText ? ["-F"] : []),
  ];
  const { stdout, status } = spawnSync("rg", [...options, "-e", pattern, ...files], {
    cwd: dir,
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT,
  });
  if (status === 2) return undefined;
  return new Map([...stdout.matchAll(/^([^\0\n]*)\0(\d+)$/gm)].map(([, path = "", lines]) => [path, Number(lines)]));
}

/** Asks both, the tool with all its cursors. @param files Paths of all files that are indexed. */
export async function compareWithRg(
  dir: string,
  files: readonly string[],
  ask: AskJson,
  drawn: DrawnPattern,
): Promise<Compared | undefined> {
  const { pattern, word } = drawn;
  const found = new Map<string, number>();
  let counted = 0;
  let filesCounted = 0;
  let isText = false;
  let isFolded = false;
  let calls = 0;
  let isWhole = true;
  for (let cursor: unknown; calls === 0 || cursor !== undefined; calls++) {
    const page = await ask({
      patterns: [pattern],
      word,
      names: true,
      tests: true,
      limit: 200,
      max_tokens: 6000,
      ...(cursor !== undefined && { cursor }),
    });
    const [part = {}] = (page["parts"] ?? []) as Record<string, unknown>[];
    cursor = page["nextCursor"];
    if (calls === 0) isWhole = cursor === undefined;
    isText ||= String(part["note"] ?? "").startsWith("taken as text");
    isFolded ||= part["inOtherCase"] === true;
    counted += isFolded ? 0 : Number(part["lines"] ?? 0);
    filesCounted += isFolded ? 0 : Number(part["files"] ?? 0);
    for (const { path, lines } of [...((part["results"] ?? []) as Place[]), ...((part["notListed"] ?? []) as Place[])])
      if (!isFolded) found.set(path, lines);
  }
  const expected = countWithRg(dir, files, drawn, isText);
  // What ripgrep refuses and `grep` takes has nothing to be compared with.
  if (expected === undefined) return undefined;
  const sum = [...expected.values()].reduce((total, lines) => total + lines, 0);
  // Of very many files some are named, and all of them counted.
  const wrong = [...found.keys()].filter((path) => expected.get(path) !== found.get(path));
  const fault =
    sum > 0 && counted === 0
      ? "false zero"
      : sum !== counted || expected.size !== filesCounted || wrong.length > 0
        ? `${filesCounted} files of ${expected.size}, other lines in ${wrong
            .slice(0, 3)
            .map((path) => `${path} (${expected.get(path) ?? 0}, here ${found.get(path) ?? 0})`)
            .join(", ")}`
        : "";
  return { ...drawn, expected: sum, found: counted, calls, isWhole, fault };
}

interface Place {
  readonly path: string;
  readonly lines: number;
}
