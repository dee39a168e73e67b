/**
 * Twins in docs: code that stands there again in another language, or for another package manager, in tabs or one block
 * after the other. A reader who pays for each line needs one of them: TypeScript, npm, else the first.
 */
import { codeLanguageOf, factsOf } from "./code-languages.ts";
import { linesOf } from "./lines.ts";

/** A line of a text, and which one it is, from 0; none for a line that says what was left out. */
interface KeptLine {
  readonly text: string;
  readonly at?: number;
}

interface Block {
  /** First and last line, the fences. */
  readonly first: number;
  readonly last: number;
  /** What it is written in: `TypeScript`, `npm`; `""` where it can have no twin. */
  readonly variant: string;
  /** Words of its code that twins share. */
  readonly words: ReadonlySet<string>;
}

const FENCE = /^\s*(?:[-*]\s+)?(`{3,}|~{3,})\s*\{?\.?([\w+-]*)/;
/** What stands between the blocks of tabs: their tags and names, and nothing that is read. */
const GLUE =
  /^\s*(?:<\/?(?:Tab|Code)\w*\b[^>]*>|:{3,}.*|={3}[!+]? ["'].*|\{\{[<%]\s*\/?\s*(?:tab|code)\S*.*[>%]\}\}|@tab\b.*|<!--.*-->|\{%.*%\})?\s*$/;
/** Forms of one configuration, by the names that fences give them. */
const CONFIGURATION: Readonly<Record<string, string>> = {
  json: "JSON",
  json5: "JSON",
  jsonc: "JSON",
  yaml: "YAML",
  yml: "YAML",
  toml: "TOML",
};
const MANAGERS: Readonly<Record<string, string>> = {
  npm: "npm",
  npx: "npm",
  yarn: "yarn",
  pnpm: "pnpm",
  pnpx: "pnpm",
  bun: "bun",
  bunx: "bun",
  deno: "deno",
};
/** Words of commands that each package manager has its own of. */
const MANAGER_WORDS =
  /^(?:install|i|ci|add|run|exec|dlx|task|x|create|init|global|-g|--global|--|-D|-d|--dev|--save-dev|--save|-y|-A|@?latest|npm)$/;
/** The member of a component's tag that holds the command of one package manager, on a line of its own. */
const MEMBER = /^\s*(?:<\w+\s+)?(npm|yarn|pnpm|bun|deno)\s*=\s*["'{`][^>]*$/;
/** Lines that only what renders a page needs: imports, tags of components that say nothing, marks around tabs, addresses of links. */
const UNREAD =
  /^\s*<\/?[A-Z][\w.]*\s*>\s*$|^import\s.+\sfrom\s+['"].*['"];?\s*$|^\s*:{3,}(?:\s*code-group)?\s*$|^ {0,3}\[[^\]^][^\]]*\]:\s+\S+/;
/** With types, and with the manager that everybody has. */
const PREFERRED: ReadonlySet<string | undefined> = new Set([twinOf("ts"), "npm"]);
/** Share of the words of the shorter one that twins have in common. */
const LEAST_SHARED = 0.6;

/**
 * The lines of a page without twins, with one that names them in their place, and without what no reader reads; and how
 * many twins were left out.
 */
export function dropTwins(text: string): { readonly lines: readonly KeptLine[]; readonly leftOut: number } {
  const lines = linesOf(text);
  const dropped = new Set<number>();
  const notes = new Map<number, string[]>();
  let leftOut = 0;
  const drop = (first: number, last: number, behind: number, variant: string): void => {
    for (let line = first; line <= last; line++) dropped.add(line);
    notes.set(behind, [...(notes.get(behind) ?? []), variant]);
    leftOut++;
  };
  const blocks = blocksOf(lines);
  const code = new Set(blocks.flatMap(({ first, last }) => lines.slice(first, last + 1).map((_, at) => first + at)));
  for (const [at, line] of lines.entries()) if (UNREAD.test(line) && !code.has(at)) dropped.add(at);
  for (const run of runsOf(blocks, lines)) {
    for (const twins of twinsOf(run)) {
      const kept = twins.find(({ variant }) => PREFERRED.has(variant)) ?? (twins[0] as Block);
      for (const twin of twins) {
        if (twin === kept) continue;
        const before = run[run.indexOf(twin) - 1];
        const next = run[run.indexOf(twin) + 1];
        // With a block goes the tab around it: what leads to it, or to the one behind it where it is the first.
        if (before !== undefined) drop(before.last + 1, twin.last, kept.last, twin.variant);
        else drop(twin.first, (next?.first ?? twin.last + 1) - 1, kept.last, twin.variant);
      }
    }
  }
  for (const [at, line] of lines.entries()) {
    const manager = MEMBER.exec(line)?.[1];
    const isBehind = MEMBER.test(lines[at - 1] ?? "");
    if (manager === undefined || !isBehind) continue;
    let first = at;
    while (MEMBER.test(lines[first - 1] ?? "")) first--;
    drop(at, at, first, manager);
  }
  const kept = lines.flatMap((line, at): KeptLine[] => {
    const names = [...new Set(notes.get(at))];
    const note =
      names.length === 0 ? [] : [{ text: ` [${names.join(", ")} twin${names.length > 1 ? "s" : ""} left out]` }];
    return [...(dropped.has(at) ? [] : [{ text: line, at }]), ...note];
  });
  return { lines: kept, leftOut };
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let first = 0; first < lines.length; first++) {
    const [, fence, name = ""] = FENCE.exec(lines[first] as string) ?? [];
    if (fence === undefined) continue;
    const isEnd = (line: string): boolean => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim());
    const length = lines.slice(first + 1).findIndex(isEnd);
    if (length < 0) break;
    blocks.push(toBlock(first, first + length + 1, name.toLowerCase(), lines.slice(first + 1, first + length + 1)));
    first += length + 1;
  }
  return blocks;
}

function toBlock(first: number, last: number, name: string, code: readonly string[]): Block {
  const commands = code.map((line) => line.replace(/^\s*[$>]\s/, "").trim()).filter((line) => !/^(?:#.*)?$/.test(line));
  const managers = new Set(commands.map((line) => MANAGERS[line.split(/\s/, 1)[0] as string]));
  const [manager] = managers;
  if (managers.size === 1 && manager !== undefined) {
    const words = commands.flatMap((line) => line.split(/[\s@]+/).slice(1));
    return { first, last, variant: manager, words: new Set(words.filter((word) => !MANAGER_WORDS.test(word))) };
  }
  const variant = twinOf(name) ?? CONFIGURATION[name] ?? "";
  return { first, last, variant, words: new Set(code.join("\n").match(/\w+/g)) };
}

/** Blocks with nothing to read between them. */
function runsOf(blocks: readonly Block[], lines: readonly string[]): Block[][] {
  const runs: Block[][] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNext = last !== undefined && lines.slice(last.last + 1, block.first).every((line) => GLUE.test(line));
    if (isNext) run?.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** Of the blocks of a run those that are one in several variants. */
function twinsOf(run: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of run) {
    if (block.variant === "") continue;
    const group = groups.find(([first]) => first !== undefined && areTwins(first, block));
    if (group !== undefined && !group.some(({ variant }) => variant === block.variant)) group.push(block);
    else groups.push([block]);
  }
  return groups.filter(({ length }) => length > 1);
}

function areTwins(a: Block, b: Block): boolean {
  if (a.variant === b.variant || familyOf(a) !== familyOf(b)) return false;
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  return shared >= LEAST_SHARED * Math.min(a.words.size, b.words.size);
}

/** What may be a twin of it: code, configuration, or a command of a package manager. */
function familyOf({ variant }: Block): string {
  if (Object.values(CONFIGURATION).includes(variant)) return "configuration";
  return Object.values(MANAGERS).includes(variant) ? "manager" : "code";
}

/** What the language is called that a fence names by its name or the ending of its files. */
function twinOf(name: string): string | undefined {
  return factsOf(name).twin ?? factsOf(codeLanguageOf(name) ?? "").twin;
}
