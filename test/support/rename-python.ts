/** Python code held against CPython: which modules no longer import, and which names its syntax tree leaves unbound. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FindErrors } from "./rename-proof.ts";

const CHECK = new URL("./check-python.py", import.meta.url).pathname;

/** CPython over the modules below a folder. */
export function createPythonCheck(dir: string): FindErrors {
  const check = (root: string): string[] =>
    JSON.parse(execFileSync("python3", ["-B", CHECK, root], { encoding: "utf8", maxBuffer: 1 << 28 })) as string[];
  const before = check(dir);
  return (changed, newName, oldName) => {
    const copy = mkdtempSync(join(tmpdir(), "treeline-python-"));
    try {
      cpSync(dir, copy, { recursive: true });
      for (const [path, text] of changed) writeFileSync(join(copy, path), text);
      const plain = (message: string): string => message.replaceAll(newName, oldName);
      const known = new Set(before.map(plain));
      return check(copy).filter((message) => !known.has(plain(message)));
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  };
}
