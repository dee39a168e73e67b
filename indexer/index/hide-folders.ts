/**
 * Messages of tools without the folders of the machine that they ran on: what is in an index is everybody's who reads it.
 * Pure.
 */
import { posix } from "node:path";

/** What may stand in front of a path: no part of a path, an address or a word. */
const BEFORE = String.raw`(?<![\w.~/\\-])(?:file:(?:\/\/(?:localhost)?)?)?`;
const PART = String.raw`[^\s/\\"'\`<>|:*?()[\]{},;]+`;
const UNIX = new RegExp(String.raw`${BEFORE}\/(?:${PART}\/)+(?:${PART})?`, "g");
const WINDOWS = new RegExp(String.raw`${BEFORE}(?:\/?[A-Za-z]:[\\/]|\\\\)(?:${PART}[\\/])*(?:${PART})?`, "g");
/** `/x/gi` is no path, but what a linter says of a regular expression. */
const REGULAR_EXPRESSION = /^\/[^/]+\/[dgimsuvy]{0,8}$/;

/**
 * The text with paths in the first folder as paths from there, and in the others as paths that lead out of it and in
 * again (`../lib/a.c`); of other absolute paths the last part is left.
 *
 * @param folders Absolute paths: the configuration's folder, then folders around it.
 */
export function hideFolders(text: string, folders: readonly string[]): string {
  const [first = "/"] = folders;
  const shown = folders.reduce((rest, folder) => {
    if (folder === "/" || folder === "") return rest;
    const way = posix.relative(first, folder);
    const names = [folder, encodeURI(folder)].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const pattern = new RegExp(String.raw`${BEFORE}(?:${names.join("|")})(?<end>\/|(?![\w.~-]))`, "g");
    return rest.replace(pattern, (...found) => {
      const { end } = found.at(-1) as { readonly end: string };
      return end === "" ? way || "." : way === "" ? "" : `${way}/`;
    });
  }, text);
  return shown
    .replace(WINDOWS, (path) => lastPart(path))
    .replace(UNIX, (path) => (REGULAR_EXPRESSION.test(path) ? path : lastPart(path)));
}

function lastPart(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== "" && !/^(?:file|[A-Za-z]):$/.test(part))
      .at(-1) ?? "/"
  );
}
