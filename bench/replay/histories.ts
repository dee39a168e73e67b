/** Histories of a folder of pages: real commits, or edits of one page each that are drawn from a seed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sampleText } from "../draw-queries.ts";
import { type Edit, insertParagraph, listPages } from "../edits.ts";
import { makeRandom } from "../random.ts";
import { listCommits, type PageSource, readChanges, readPages } from "./git-history.ts";

/** Pages, and what happens to them. */
export interface History {
  readonly base: Edit["changes"];
  /** Made one by one: an edit may read the pages as those before left them. */
  readonly edits: (dir: string) => Iterable<Edit>;
}

const SHOWN_HASH = 9;
const PARAGRAPH_LINES = 3;

/** So many commits that touch pages, on the commit before them. @throws {Error} when there are fewer. */
export function readCommits(source: PageSource, count: number, skip: number): History {
  const commits = listCommits(source, count + 1, skip);
  const [first] = commits;
  if (first === undefined || commits.length <= count) {
    throw new Error(`${source.repository} has ${Math.max(0, commits.length - 1)} such commits after the first`);
  }
  return {
    base: readPages(source, first),
    *edits() {
      for (const [at, commit] of commits.slice(1).entries()) {
        const changes = readChanges(source, commits[at] as string, commit);
        yield { name: commit.slice(0, SHOWN_HASH), changes };
      }
    },
  };
}

/** The newest pages of a repository, or those of a folder that is in none, and edits of one page each. */
export function drawEdits(base: Edit["changes"], count: number, seed: number): History {
  return {
    base,
    *edits(dir) {
      const random = makeRandom(seed);
      const { sentences } = sampleText(dir, random);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      const paths = listPages(dir);
      const draw = (): string => Array.from({ length: PARAGRAPH_LINES }, () => pick(sentences)).join("\n");
      for (let at = 1; at <= count; at++) {
        const path = pick(paths);
        const page = readFileSync(join(dir, path), "utf8");
        const text = random() < 0.5 ? insertParagraph(page, draw()) : replaceLine(page, pick(sentences), random);
        yield { name: `edit ${at}`, changes: new Map([[path, text]]) };
      }
    },
  };
}

/** Pages of a folder on disk. */
export function readFolder(dir: string): Map<string, string> {
  return new Map(listPages(dir).map((path) => [path, readFileSync(join(dir, path), "utf8")]));
}

/** The page with another line in place of one of its lines of prose; with one more at its end where it has none. */
function replaceLine(page: string, sentence: string, random: () => number): string {
  const lines = page.split("\n");
  const prose = lines.flatMap((line, at) => (/^[A-Z][^|<{]{40,}[.:]$/.test(line) ? [at] : []));
  const place = prose[Math.floor(random() * prose.length)];
  if (place === undefined || lines[place] === sentence) return `${page}\n${sentence}\n`;
  return lines.with(place, sentence).join("\n");
}
