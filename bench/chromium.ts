/**
 * Chromium without a window, installed where it is missing.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** The browser on PATH; where none is, Debian's is installed, which takes about half a minute. @throws {Error}. */
export function findChromium(): string {
  const found = NAMES.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (found !== undefined) return found;
  console.error("no Chromium on PATH: apt-get install chromium");
  const installed = spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { stdio: "ignore" });
  if (installed.status === 0) return "chromium";
  throw new Error(`Chromium cannot be installed here; put one of ${NAMES.join(", ")} on PATH`);
}

/** Open a page with a profile of its own. The result closes it. */
export function openPage(url: string): () => void {
  const profile = mkdtempSync(join(tmpdir(), "treeline-chromium-"));
  const browser: ChildProcess = spawn(findChromium(), [...FLAGS, `--user-data-dir=${profile}`, url], {
    stdio: "ignore",
    detached: true,
  });
  return () => {
    // The group: a browser is many processes.
    if (browser.pid !== undefined) process.kill(-browser.pid, "SIGKILL");
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}
