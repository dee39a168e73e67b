/**
 * An index that follows a folder: its builds one after another, and the watch. For `treeline dev` and `treeline mcp`.
 */
import { type FSWatcher, statSync, watch } from "node:fs";
import { InputError } from "../../../src/core/errors.ts";
import { formatCount } from "../../../src/surface/render/text.ts";
import { toPrintable } from "../../base/diagnostic.ts";
import type { Places } from "../../base/installation.ts";
import { type BuildRequest, type BuildSummary, buildCorpus } from "../../index/build.ts";
import type { BuildMemory } from "../../index/cache/document-cache.ts";
import type { Terminal } from "../run-cli.ts";

/** Skipped files that are named; `treeline build` names more. */
const SHOWN_SKIPPED = 5;

export type FollowedRequest = Omit<BuildRequest, "outDir" | "base" | "memory" | "clock">;

/** Builds an index that follows a folder, in two steps: answers do not wait for what checkers are asked about. */
export function createFollower(
  request: FollowedRequest,
  places: Places,
  memory: BuildMemory,
  terminal: Pick<Terminal, "warn">,
) {
  let isAsking = false;
  let asking = new AbortController();
  return {
    /** Builds with what checkers said before of files that did not change. */
    async start(): Promise<BuildSummary> {
      const built = await buildFollowed({ ...request, isKnownOnly: true }, places, memory, terminal);
      isAsking = built.precise !== undefined;
      return built;
    },
    /** Builds with all that checkers say now. Undefined where that is built, and where it was interrupted. */
    async finish(): Promise<BuildSummary | undefined> {
      if (!isAsking) return undefined;
      asking = new AbortController();
      const { signal } = asking;
      try {
        return await buildFollowed({ ...request, signal }, places, memory, terminal);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    /** Ends the second step that is under way: files changed. */
    interrupt: (): void => asking.abort(),
  };
}

/** Builds the index anew, on the one that is there. */
async function buildFollowed(
  request: FollowedRequest,
  places: Places,
  memory: BuildMemory,
  terminal: Pick<Terminal, "warn">,
): Promise<BuildSummary> {
  const startedAt = performance.now();
  const summary = await buildCorpus({
    ...request,
    outDir: places.index,
    base: places.index,
    memory,
    clock: Date.now,
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const { documents, sections, skipped, diagnosticCount } = summary;
  const notes = [
    ...(skipped.length > 0 ? [`${formatCount(skipped.length, "file")} skipped`] : []),
    ...(diagnosticCount > 0 ? [`${diagnosticCount} diagnostics`] : []),
  ];
  terminal.warn(
    `Built ${documents} documents, ${sections} sections in ${seconds} s${notes.length > 0 ? ` (${notes.join(", ")})` : ""}.`,
  );
  for (const { collection, path, message } of skipped.slice(0, SHOWN_SKIPPED)) {
    terminal.warn(`  skipped ${toPrintable(`${collection}:${path}: ${message}`)}`);
  }
  return summary;
}

/** Tells the user of a build that failed. The result is the reason. */
export function reportFailure(error: unknown, { warn }: Pick<Terminal, "warn">): string {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  const reason = error instanceof InputError ? message : stack;
  warn(`The build failed, the index from before keeps answering: ${reason}`);
  return reason;
}

/** Does jobs one after another. A job that is asked for again while it waits is done once. */
export function createQueue(): (job: () => Promise<unknown>) => void {
  const waiting = new Set<() => Promise<unknown>>();
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    for (const job of waiting) {
      waiting.delete(job);
      await job();
    }
    running = false;
  };
  return (job) => {
    waiting.add(job);
    if (!running) void run();
  };
}

/** Quiet time after the last change before it is reported: editors save in several steps. */
const QUIET_MS = 50;
/** A folder that never gets quiet is reported this often all the same. */
const MAX_WAIT_MS = 500;
/** How often it is looked whether another folder is in the place of the watched one. */
const LOOK_MS = 2000;
/** How often a change is supposed where watching is refused: a build of the same files gives the same index. */
const BLIND_MS = 30_000;

/** Content that is no documentation and changes by itself: what tools and Treeline keep. Of git's, `logs/HEAD` tells of commits. */
const IGNORED = /(^|[\\/])(node_modules|\.treeline|\.wrangler|\.git[\\/](?!logs([\\/]HEAD)?$).*)([\\/]|$)/;

/** Calls `onChange` after changes in the folder, never twice at once for one burst. */
export function watchFolder(dir: string, onChange: () => void): { readonly stop: () => void } {
  const burst = collectBurst(onChange);
  let stopped = false;
  let blind: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  let folder = folderId(dir);
  const replaced = setInterval(() => {
    // A watch holds on to the folder it began with; one that was put in its place goes unseen.
    const now = folderId(dir);
    if (now === folder) return;
    folder = now;
    watcher?.close();
    watcher = undefined;
    if (now === undefined || blind !== undefined) return;
    start();
    burst.note();
  }, LOOK_MS);
  const fallBack = (): void => {
    watcher?.close();
    if (!stopped) blind ??= setInterval(burst.note, BLIND_MS);
  };
  const start = (): void => {
    try {
      watcher = watch(dir, { recursive: true, ignore: (path: string) => IGNORED.test(path) }, (_, path) => {
        if (path === null || !IGNORED.test(path)) burst.note();
      });
      watcher.on("error", fallBack);
    } catch {
      // Some systems refuse at once.
      fallBack();
    }
  };
  start();
  return {
    stop: () => {
      stopped = true;
      clearInterval(replaced);
      watcher?.close();
      clearInterval(blind);
      burst.stop();
    },
  };
}

/** What tells one folder from another under the same path; undefined where there is none. */
function folderId(dir: string): string | undefined {
  const found = statSync(dir, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

function collectBurst(onChange: () => void): { readonly note: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let firstAt: number | undefined;
  const report = (): void => {
    firstAt = undefined;
    onChange();
  };
  return {
    note: () => {
      const now = performance.now();
      firstAt ??= now;
      clearTimeout(timer);
      timer = setTimeout(report, Math.max(0, Math.min(QUIET_MS, firstAt + MAX_WAIT_MS - now)));
    },
    stop: () => clearTimeout(timer),
  };
}
