/**
 * Which files `.gitattributes` calls generated or vendored, as GitHub reads it (`linguist-generated`, `linguist-vendored`).
 *
 * I/O: reads that file.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore from "ignore";
import type { Role } from "../../src/core/docs/roles.ts";
import { onFsError } from "../base/file-system.ts";

/** The role that the file in a folder gives a path below it; undefined where it says nothing. */
export type RoleByAttributes = (path: string) => Role | undefined;

const ATTRIBUTE = /^(-?)linguist-(generated|vendored)(?:=(true|false))?$/;

/** Text of `.gitattributes` of a folder; `""` where there is none. */
export async function readGitAttributes(folder: string): Promise<string> {
  return readFile(join(folder, ".gitattributes"), "utf8").catch(onFsError(async () => ""));
}

/** What the text says. The last line that fits decides. */
export function parseGitAttributes(text: string): RoleByAttributes {
  const rules = text.split("\n").flatMap((line) => {
    const [pattern = "", ...attributes] = line.trim().split(/\s+/);
    if (pattern === "" || /^[#"[]/.test(pattern)) return [];
    return attributes.flatMap((attribute) => {
      const [, minus, name, value] = ATTRIBUTE.exec(attribute) ?? [];
      if (name === undefined) return [];
      const isSet = minus === "" && value !== "false";
      return [{ paths: ignore().add(pattern), role: isSet ? (name as Role) : ("production" as const) }];
    });
  });
  return (path) => rules.findLast(({ paths }) => paths.ignores(path))?.role;
}
