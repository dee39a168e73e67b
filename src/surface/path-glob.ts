/**
 * Path globs as callers write them: `guide/**`, `*.mdx`, `{api,guide}/**`, `src/[a-c]?.md`.
 *
 * A glob is matched as an expression of grep is, in linear time. A glob without a slash is one for file names, in any folder, as in
 * `.gitignore` and ripgrep.
 */
import { InputError } from "../core/errors.ts";
import { Automaton } from "../core/search/automaton.ts";
import type { GrepNode } from "../core/search/grep-syntax.ts";

const EXAMPLE = 'path_glob is matched against whole paths, as in "guide/**", "*.mdx" or "{api,guide}/*.md".';
const MAX_LENGTH = 300;
const TOKEN = /\*\*\/|\*+|\?|\[(?:[!^]?\]?[^\]]*)\]|\\.|[{},]|./gsu;

const SLASH = 0x2f;
const IN_NAME: GrepNode = { kind: "set", set: { negated: true, ranges: [[SLASH, SLASH]], classes: [] } };
const ANYTHING: GrepNode = { kind: "repeat", node: { kind: "any" }, least: 0, most: Number.POSITIVE_INFINITY };
const PATTERNS: Readonly<Record<string, GrepNode>> = {
  "**/": {
    kind: "repeat",
    node: { kind: "sequence", nodes: [ANYTHING, { kind: "text", text: "/" }] },
    least: 0,
    most: 1,
  },
  "*": { kind: "repeat", node: IN_NAME, least: 0, most: Number.POSITIVE_INFINITY },
  "?": IN_NAME,
};

/** Whether a path fits the glob. @throws {InputError} where the glob cannot be read. */
export function compilePathGlob(glob: string): (path: string) => boolean {
  if (glob.length > MAX_LENGTH)
    throw new InputError(`path_glob has ${glob.length} characters; at most ${MAX_LENGTH} are taken.`);
  if (glob.startsWith("!"))
    throw new InputError(`path_glob chooses files and cannot exclude any. ${EXAMPLE}`, [glob.slice(1)]);
  const bare = glob.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "/**");
  const nodes: GrepNode[] = [
    { kind: "place", place: "line-start" },
    parseGlob(bare.includes("/") ? bare : `**/${bare}`),
    { kind: "place", place: "line-end" },
  ];
  const automaton = new Automaton({ kind: "sequence", nodes }, true);
  return (path) => automaton.matches(path);
}

function parseGlob(glob: string): GrepNode {
  const tokens = (glob.match(TOKEN) ?? []).values();
  const parse = (isInBraces: boolean): GrepNode => {
    const branches: GrepNode[][] = [[]];
    for (const token of tokens) {
      if (token === "}" && isInBraces) return choiceOf(branches);
      if (token === "," && isInBraces) branches.push([]);
      else branches.at(-1)?.push(token === "{" ? parse(true) : parseToken(token));
    }
    if (isInBraces) throw new InputError(`path_glob has a "{" without its "}". ${EXAMPLE}`);
    return choiceOf(branches);
  };
  return parse(false);
}

function choiceOf(branches: readonly GrepNode[][]): GrepNode {
  return { kind: "choice", nodes: branches.map((nodes) => ({ kind: "sequence", nodes })) };
}

function parseToken(token: string): GrepNode {
  if (/^\*\*+$/.test(token)) return ANYTHING;
  const pattern = PATTERNS[token];
  if (pattern !== undefined) return pattern;
  if (token.length > 1 && token.startsWith("[")) return parseSet(token.slice(1, -1));
  return { kind: "text", text: token.length > 1 && token.startsWith("\\") ? token.slice(1) : token };
}

function parseSet(written: string): GrepNode {
  const negated = /^[!^]/.test(written);
  const members = Array.from(negated ? written.slice(1) : written, (member) => member.codePointAt(0) as number);
  if (members.length === 0) throw new InputError(`path_glob has an empty set. ${EXAMPLE}`);
  const ranges: [number, number][] = negated ? [[SLASH, SLASH]] : [];
  const hyphen = "-".charCodeAt(0);
  for (let at = 0; at < members.length; at++) {
    const first = members[at] as number;
    const last = members[at + 1] === hyphen ? members[at + 2] : undefined;
    if (last !== undefined && last < first) {
      const range = String.fromCodePoint(first, hyphen, last);
      throw new InputError(`The range ${range} in path_glob ends before it begins. ${EXAMPLE}`);
    }
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  return { kind: "set", set: { negated, ranges, classes: [] } };
}
