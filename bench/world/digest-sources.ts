/** Digest of what a result depends on: the product's sources as they are on disk, and the checks. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../test/support/environment.ts";

const PRODUCT = ["indexer", "src", "schemas", "package-lock.json"];
const CHECKS = /^bench\/world\/(?:.*-checks|check-tree|judge-answers|ask-server|run-cli|tree-files)\.ts$/;

/** Hash of tracked and new files, uncommitted changes included. */
export function digestSources(): string {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...PRODUCT, "bench/world"];
  const listed = execFileSync("git", words, { cwd: projectRoot, encoding: "utf8", maxBuffer: 1 << 26 }).split("\0");
  const hash = createHash("sha256");
  for (const path of [...new Set(listed)].sort()) {
    const isMeant = path !== "" && (!path.startsWith("bench/") || CHECKS.test(path));
    if (!isMeant || !existsSync(join(projectRoot, path))) continue;
    hash.update(`${path}\0`).update(readFileSync(join(projectRoot, path)));
  }
  return hash.digest("hex").slice(0, 16);
}
