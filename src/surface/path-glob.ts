/**
 * A glob over paths as callers write it: `guide/**`, `*.mdx`, `{api,guide}/**`, `src/[a-c]?.md`.
 *
 * It becomes an expression for RE2, which takes linear time whatever the glob: matchers that go through the language's
 * own regular expressions can be made to run for minutes by a line of stars. A glob without a slash is one for file
 * names, in any folder, as in `.gitignore` and ripgrep.
 *
 * Pure: a glob in, a predicate out.
 */
import { RE2JS } from "re2js";
import { InputError } from "../core/errors.ts";

const EXAMPLE = 'path_glob is matched against whole paths, as in "guide/**", "*.mdx" or "{api,guide}/*.md".';
const MAX_LENGTH = 300;
const TOKEN = /\*\*\/|\*+|\?|\[(?:[!^]?\]?[^\]]*)\]|\\.|[{},]|./gsu;

/** Whether a path fits the glob. @throws {InputError} where the glob cannot be read. */
export function compilePathGlob(glob: string): (path: string) => boolean {
  if (glob.length > MAX_LENGTH)
    throw new InputError(`path_glob has ${glob.length} characters; at most ${MAX_LENGTH} are taken.`);
  if (glob.startsWith("!"))
    throw new InputError(`path_glob chooses files and cannot exclude any. ${EXAMPLE}`, [glob.slice(1)]);
  const bare = glob.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "/**");
  const source = writeGlob(bare.includes("/") ? bare : `**/${bare}`);
  const expression = RE2JS.compile(`^(?:${source})$`, RE2JS.DOTALL);
  return (path) => expression.test(path);
}

function writeGlob(glob: string): string {
  let depth = 0;
  const parts = (glob.match(TOKEN) ?? []).map((token): string => {
    if (token === "{") {
      depth++;
      return "(?:";
    }
    if (token === "}" && depth > 0) {
      depth--;
      return ")";
    }
    if (token === "," && depth > 0) return "|";
    if (token === "**/") return "(?:.*/)?";
    if (token.startsWith("*")) return token.length > 1 ? ".*" : "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1 && token.startsWith("[")) return writeSet(token.slice(1, -1));
    return quote(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
  });
  if (depth > 0) throw new InputError(`path_glob has a "{" without its "}". ${EXAMPLE}`);
  return parts.join("");
}

function writeSet(written: string): string {
  const negated = /^[!^]/.test(written);
  const members = Array.from(negated ? written.slice(1) : written);
  if (members.length === 0) throw new InputError(`path_glob has an empty set. ${EXAMPLE}`);
  const parts: string[] = [];
  for (let at = 0; at < members.length; at++) {
    const [first, hyphen, last] = members.slice(at, at + 3) as [string, string?, string?];
    if (hyphen !== "-" || last === undefined) {
      parts.push(quote(first));
      continue;
    }
    if (last < first) throw new InputError(`The range ${first}-${last} in path_glob ends before it begins. ${EXAMPLE}`);
    parts.push(`${quote(first)}-${quote(last)}`);
    at += 2;
  }
  return negated ? `[^/${parts.join("")}]` : `[${parts.join("")}]`;
}

function quote(text: string): string {
  return Array.from(text, (character) => `\\x{${(character.codePointAt(0) as number).toString(16)}}`).join("");
}
