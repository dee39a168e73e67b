/**
 * Facts of checkers about the files that are indexed: those that are known from the last time, and those that a checker is
 * asked for now.
 *
 * A checker is a process of its own with a bounded heap. What it says of a file depends on the file and on the shapes of
 * those that it imports, so facts are kept while these stay as they are. A process that ends or hangs takes one file along
 * and is started again, twice. What nobody answers for keeps the edges of its syntax, and one finding says why.
 */
import { type ChildProcess, fork } from "node:child_process";
import { hash } from "node:crypto";
import { on, once } from "node:events";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import { isFsError } from "../../base/file-system.ts";
import { threadEnvironment } from "../../base/installation.ts";
import type { CheckedFacts, CheckerAnswer, CheckerRequest, PreciseDocument } from "../../languages/base/language.ts";
import type { LinkDiagnostic, ManifestText } from "../../languages/base/manifests.ts";
import { addToList } from "../../languages/base/world.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import { readManifests } from "../code/read-manifests.ts";

const CACHE_FILE = "precise.cache";

/** Bounds on what a checker is asked. But for the last they depend on the input alone. */
const LIMITS = {
  files: 20_000,
  bytes: 200_000_000,
  /** With what V8 takes beside it, a process stays below 1.5 GB. */
  heapMegabytes: 1_100,
  /** Longest time without an answer. */
  stallMs: 120_000,
  /** Processes that may end before their time. */
  deaths: 3,
};

const YOUNG_MEGABYTES = 32;
const SHOWN_FILES = 3;

/** A source file as checkers are asked about it. */
interface AskedFile {
  readonly id: string;
  readonly place: string;
  readonly language: string;
  readonly hash: string;
  readonly bytes: number;
}

interface AskOptions {
  /** Absolute path of the configuration's folder. */
  readonly dir: string;
  readonly manifests: readonly ManifestText[];
  /** Folder that facts are kept in; undefined for none. */
  readonly cacheDir: string | undefined;
  /** Digest of the code of this program, and of its packages. */
  readonly version: string;
  /** Collection that findings are said to. */
  readonly collection: string;
  /** Whether no checker is asked: facts are those that are known of files that did not change. */
  readonly isKnownOnly?: boolean | undefined;
  /** Ends asking; what was answered is kept. */
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<typeof LIMITS> | undefined;
}

interface AskedFacts {
  readonly documents: readonly PreciseDocument[];
  readonly diagnostics: readonly LinkDiagnostic[];
  /** Whether files are without facts that they would have on another day, or another machine. */
  readonly isIncomplete: boolean;
}

interface KnownFacts extends CheckedFacts {
  /** Of the file's content. */
  readonly hash: string;
}

/** What is kept between builds. */
interface Memory {
  /** Digest of all that facts depend on beside the contents of files. */
  readonly environment: string;
  readonly facts: Map<string, KnownFacts>;
  /** Hashes of files that are not indexed and were read, by path. */
  readonly outside: Map<string, string>;
  /** Paths of those that each program sees without an import. */
  readonly globals: Map<number, readonly string[]>;
}

/** The facts about all files that have a checker. Undefined where none has. */
export async function askCheckers(files: readonly AskedFile[], options: AskOptions): Promise<AskedFacts | undefined> {
  for (const { checker } of LANGUAGES) {
    const own = files.filter(({ language }) => checker?.languages.some((one) => one === language));
    if (checker !== undefined && own.length > 0) return askChecker(checker.program, own, options);
  }
  return undefined;
}

async function askChecker(program: URL, files: readonly AskedFile[], options: AskOptions): Promise<AskedFacts> {
  const { dir, cacheDir, collection, isKnownOnly = false, signal } = options;
  const limits = { ...LIMITS, ...options.limits };
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length > limits.files || bytes > limits.bytes) {
    const message = `the checker was skipped: ${files.length} files of ${bytes} bytes exceed its limit`;
    return { documents: [], diagnostics: [finding("precise-limit", message, collection)], isIncomplete: false };
  }
  const places = files.map(({ id, place }) => [id, place]);
  const environment = hash("sha1", JSON.stringify([options.version, places, options.manifests]));
  const memory = readMemory(cacheDir, environment, isKnownOnly);
  const { facts } = memory;
  const before = new Map(facts);
  const changed = files.filter((file) => before.get(file.id)?.hash !== file.hash);
  const ask = async (some: readonly AskedFile[]): Promise<void> => {
    for (const { id } of some) facts.delete(id);
    if (some.length === 0 || signal?.aborted === true) return;
    const setup = {
      dir,
      files: files.map(({ id, place }) => ({ id, place })),
      manifests: readManifests(options.manifests),
    };
    await askProcesses({ program, setup, limits, signal, memory }, some);
  };
  if (isKnownOnly) for (const { id } of changed) facts.delete(id);
  else if (changed.length > 0) {
    await ask(changed);
    const reshaped = changed.filter(({ id }) => {
      const now = facts.get(id);
      return now === undefined || now.shape !== before.get(id)?.shape;
    });
    const dependents = findDependents(before, facts, reshaped);
    const asked = new Set(changed);
    await ask(files.filter((file) => dependents(file.id) && !asked.has(file)));
    saveMemory(cacheDir, memory);
  }
  const answered = files.flatMap(({ id }) => {
    const known = facts.get(id);
    return known === undefined ? [] : [{ id, ...known }];
  });
  const failed = answered.filter((one) => one.failed !== undefined);
  const unasked = files.length - answered.length;
  return {
    documents: answered.flatMap(({ id, facts: own }) => (own === undefined ? [] : [{ id, ...own }])),
    diagnostics: isKnownOnly ? [] : describeFailures(failed, unasked, collection),
    isIncomplete: unasked > 0 || failed.some(({ isLost }) => isLost),
  };
}

/** Tells whether a file depends on one of those whose shape changed. */
function findDependents(
  before: ReadonlyMap<string, KnownFacts>,
  facts: ReadonlyMap<string, KnownFacts>,
  reshaped: readonly AskedFile[],
): (id: string) => boolean {
  if (reshaped.some(({ id }) => before.get(id)?.isGlobal === true || facts.get(id)?.isGlobal === true))
    return () => true;
  const importers = new Map<string, string[]>();
  for (const [id, { imports }] of facts) for (const imported of imports) addToList(importers, imported, id);
  const found = new Set(reshaped.map(({ id }) => id));
  for (const id of found) for (const importer of importers.get(id) ?? []) found.add(importer);
  return (id) => found.has(id);
}

interface Asking {
  readonly program: URL;
  readonly setup: Extract<CheckerRequest, { readonly dir: string }>;
  readonly limits: typeof LIMITS;
  readonly signal: AbortSignal | undefined;
  /** Answers are added. */
  readonly memory: Memory;
}

/** Asks about files, in one process after another while they end before their time. */
async function askProcesses(asking: Asking, files: readonly AskedFile[]): Promise<void> {
  const { program, limits, signal, memory } = asking;
  const waiting = new Map(files.map((file) => [file.id, file]));
  const isAborted = (): boolean => signal?.aborted === true;
  for (let deaths = 0; deaths < limits.deaths && waiting.size > 0 && !isAborted(); deaths++) {
    const child = fork(program, [], {
      // Its heap only grows, and it ends before optimised code pays: both took a fifth of its time.
      execArgv: [
        ...["max", "initial"].map((bound) => `--${bound}-old-space-size=${limits.heapMegabytes}`),
        `--max-semi-space-size=${YOUNG_MEGABYTES}`,
        "--no-turbofan",
      ],
      env: threadEnvironment(),
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    let isStalled = false;
    const stall = setTimeout(() => {
      isStalled = true;
      child.kill("SIGKILL");
    }, limits.stallMs);
    const stop = (): boolean => child.kill("SIGKILL");
    signal?.addEventListener("abort", stop);
    const before = waiting.size;
    try {
      const asked = await converse(child, asking, waiting, () => stall.refresh());
      if (waiting.size === 0 || asked === undefined || isAborted()) return;
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await once(child, "exit");
      const reason = isStalled ? `did not answer within ${limits.stallMs / 1000} s` : describeExit(child);
      // The heap was full of others: with one of its own the file may do.
      if (reason === OUT_OF_MEMORY && waiting.size < before) continue;
      const hash = waiting.get(asked)?.hash ?? "";
      const unread = { shape: "", imports: [], isGlobal: true } as const;
      // It is asked again when it has changed: it would end each build otherwise.
      memory.facts.set(asked, { ...unread, hash, failed: reason, isLost: true });
      waiting.delete(asked);
    } finally {
      clearTimeout(stall);
      signal?.removeEventListener("abort", stop);
      child.kill("SIGKILL");
    }
  }
}

const OUT_OF_MEMORY = "ran out of memory";

/** Asks until all is answered or the process ends. The result is the file that it was at then, where that is to blame. */
async function converse(
  child: ChildProcess,
  { setup, memory: { facts, outside, globals } }: Asking,
  waiting: Map<string, AskedFile>,
  onAnswer: () => void,
): Promise<string | undefined> {
  const questions: { readonly program: number; readonly ask: readonly string[]; readonly files: readonly string[] }[] =
    [];
  const send = (request: CheckerRequest): void => {
    // A process that ended meanwhile says so by the end of its answers.
    child.send(request, () => undefined);
  };
  const askNext = (): boolean => {
    const [next] = questions;
    if (next === undefined) return false;
    const { program, ask, files } = next;
    const asked = new Set(ask);
    const roots = files.filter((id) => asked.has(id) || facts.get(id)?.isGlobal !== false);
    send({ program, roots, others: globals.get(program) ?? [], ask });
    return true;
  };
  send(setup);
  try {
    for await (const [answer] of on(child, "message", { close: ["disconnect"] }) as AsyncIterable<[CheckerAnswer]>) {
      onAnswer();
      if ("programs" in answer) {
        for (const [program, files] of answer.programs.entries()) {
          const ask = files.filter((id) => waiting.has(id));
          if (ask.length > 0) questions.push({ program, ask, files });
        }
        if (!askNext()) break;
      } else if ("outside" in answer) {
        for (const path of answer.outside) if (!outside.has(path)) outside.set(path, hashFile(path));
        const { program } = questions.shift() as { readonly program: number };
        globals.set(program, [...new Set([...(globals.get(program) ?? []), ...answer.globals])].sort());
        if (!askNext()) break;
      } else {
        const { id, ...known } = answer;
        facts.set(id, { ...known, hash: (waiting.get(id) ?? facts.get(id))?.hash ?? "" });
        waiting.delete(id);
      }
    }
  } catch {
    // A process that cannot be started answers nothing.
  }
  return questions[0]?.ask.find((id) => waiting.has(id));
}

function describeExit({ exitCode, signalCode }: ChildProcess): string {
  if (signalCode === "SIGABRT" || signalCode === "SIGKILL" || exitCode === 134) return OUT_OF_MEMORY;
  return `ended with ${signalCode ?? `code ${exitCode}`}`;
}

/** One finding, however much failed. */
function describeFailures(
  failed: readonly { readonly id: string; readonly failed?: string | undefined }[],
  unasked: number,
  collection: string,
): readonly LinkDiagnostic[] {
  const count = failed.length + unasked;
  if (count === 0) return [];
  const shown = failed.slice(0, SHOWN_FILES).map((one) => `at ${one.id} it ${one.failed}`);
  const more = failed.length > SHOWN_FILES ? ", …" : "";
  const why = shown.length === 0 ? "its process ended" : shown.join(", ") + more;
  const files = count === 1 ? "one file, whose edges are" : `${count} files, whose edges are`;
  const message = `the checker gave no answer about ${files} those of syntax: ${why}`;
  return [finding("precise-incomplete", message, collection)];
}

function finding(code: string, message: string, collection: string): LinkDiagnostic {
  return { severity: "warning", code, message, path: "", line: 0, collection };
}

/** What is kept of the last build, as far as it holds. */
function readMemory(cacheDir: string | undefined, environment: string, isAnyEnvironment: boolean): Memory {
  const empty = { environment, facts: new Map(), outside: new Map(), globals: new Map() };
  if (cacheDir === undefined) return empty;
  try {
    const memory = deserialize(gunzipSync(readFileSync(join(cacheDir, CACHE_FILE)))) as Memory;
    const isSame =
      memory.environment === environment && [...memory.outside].every(([path, own]) => hashFile(path) === own);
    return isSame || isAnyEnvironment ? memory : empty;
  } catch {
    // Absent, or cut off by a build that was killed.
    return empty;
  }
}

function saveMemory(cacheDir: string | undefined, memory: Memory): void {
  if (cacheDir === undefined) return;
  const path = join(cacheDir, CACHE_FILE);
  try {
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(`${path}.partial`, gzipSync(serialize(memory), { level: 1 }));
    renameSync(`${path}.partial`, path);
  } catch (error) {
    if (!isFsError(error)) throw error;
  }
}

/** `""` for a file that cannot be read. */
function hashFile(path: string): string {
  try {
    return hash("sha1", readFileSync(path));
  } catch (error) {
    if (!isFsError(error)) throw error;
    return "";
  }
}
