/**
 * The browser of tests and proofs: playwright-core brings none, so one is looked for, and installed where there is none.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import process from "node:process";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Debian's. Without recommended packages it needs no desktop. */
const INSTALL = ["install", "-y", "--no-install-recommends", "chromium"];
/**
 * Without a sandbox a browser starts for root as well, as which containers run. The others save work: nothing is drawn by a
 * graphics card that is not there, and pages of a window share a process. Debian's own script asks for a graphics card.
 */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--renderer-process-limit=1"];
/** Of the package manager's words: enough to see why it failed. */
const SHOWN_LINES = 5;

/** How tests and proofs start the browser, for playwright. @throws {Error} as `findChromium` does. */
export function chromiumOptions(): { executablePath: string; args: string[] } {
  return { executablePath: findChromium(), args: ARGUMENTS };
}

/**
 * Path of a browser on PATH; where none is, Debian's is installed, which takes about half a minute.
 *
 * @param environment Whose PATH is looked through.
 * @throws {Error} Where there is none and none can be installed.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const found = lookFor(environment);
  if (found !== undefined) return found;
  console.error("no Chromium on PATH: apt-get install chromium");
  const env = { ...environment, DEBIAN_FRONTEND: "noninteractive" };
  // The first try fails on a machine that never fetched its lists of packages, or has old ones.
  const tries = [[INSTALL], [["update"], INSTALL]];
  let said = "";
  for (const commands of tries) {
    for (const words of commands) {
      const { status, error, stdout, stderr } = spawnSync("apt-get", words, { env, encoding: "utf8" });
      said = error?.message ?? `${stdout}\n${stderr}`;
      if (status !== 0) break;
    }
    const installed = lookFor(environment);
    if (installed !== undefined) return installed;
  }
  const last = said.trim().split("\n").slice(-SHOWN_LINES).join("\n");
  throw new Error(
    `there is no Chromium, and apt-get cannot install it; put one of ${NAMES.join(", ")} on PATH:\n${last}`,
  );
}

/** Some systems have a program of that name that only tells how to install one: it has to say its version. */
function lookFor(environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => isProgram(path) && spawnSync(path, ["--version"], { env: environment }).status === 0);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
