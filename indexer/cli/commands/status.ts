/**
 * Commands `status`, `insights` and `check`: what an index holds and whether it is whole, how a server is, what its callers did not find.
 *
 * A key comes from the environment, because everybody on the machine can read the arguments of a process.
 */

import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { findDeadIds, listIds } from "../../../src/core/docs/project-map.ts";
import { InputError } from "../../../src/core/errors.ts";
import { readLog } from "../../../src/core/index/read-log.ts";
import { isRecord } from "../../../src/core/parse-text.ts";
import { isSafeForSecrets } from "../../../src/core/text/addresses.ts";
import { formatAge, formatCount } from "../../../src/surface/render/text.ts";
import { type Severity, UsageError } from "../../base/diagnostic.ts";
import { isAddress } from "../../base/index-source.ts";
import { countFailing, findFailing, readFailOn } from "../../config/fail-on.ts";
import { openIndexAt, verifyFiles } from "../../open/open-index.ts";
import { readCommit } from "../../sources/git.ts";
import { findSection } from "../../sources/read-file.ts";
import { MAP_FILE, readText } from "../map-files.ts";
import {
  type Command,
  type CommandInput,
  clean,
  EXIT,
  indexOption,
  option,
  printResult,
  readIndexOption,
  type Terminal,
} from "../run-cli.ts";
import { BUILD_OUTPUT, printFailing } from "./build.ts";

/** Variable of the environment that holds the key. */
const KEY_VARIABLE = "TREELINE_KEY";

/** A server that reads its index from far away and checks its parts answers within this. */
const TIMEOUT_MS = 30_000;
const statusCommand: Command = {
  name: "status",
  summary: "Show what an index holds, or how a deployed server is: generation, commit, collections, counts, checks.",
  positionals: ["[url]"],
  options: { index: indexOption, json: option.flag("Print one JSON object.") },
  details: `With the address of a server: what it answers from and which of its parts work. --index compares it with that index; exit
code 1 where it is another one, or where a part fails that is needed. A private server takes the key in TREELINE_KEY.`,
  async run(input, terminal) {
    const [place] = input.positionals;
    if (place !== undefined && isAddress(place)) {
      const shown = await showServerStatus(place, input, terminal);
      if (shown !== undefined) return shown;
    }
    const { index } = await openIndexAt(place ?? readIndexOption(input));
    const { generation, collections } = index;
    const { facetKeys, shards } = index.root;
    const files = new Set(shards.flatMap(({ packs }) => packs)).size;
    const result = { generation, collections, facetKeys, files };
    printResult(input, terminal, result, () => {
      const { commit, committedAt = "", dirty, precise, builtAt, facetKeysLeftOut } = generation;
      return [
        `generation ${generation.id}, format ${generation.formatVersion}`,
        `commit ${commit}${committedAt === "" ? "" : ` of ${committedAt}`}${dirty === true ? ", with changes" : ""}`,
        ...(builtAt === "" ? [] : [`built at ${builtAt}`]),
        `${generation.documents} documents, ${generation.sections} sections, ${generation.words} words, ${generation.terms} terms`,
        `${generation.indexBytes} bytes of index, ${generation.textBytes} bytes of text`,
        ...collections.map(({ name, kind, access, documents, sections, version, baseUrl }) => {
          const more = [version, baseUrl].filter((part) => part !== "").join(" ");
          return `  ${name} (${kind}, ${access}): ${documents} documents, ${sections} sections${more === "" ? "" : `, ${more}`}`;
        }),
        ...(precise === undefined ? [] : [`precise: ${precise}`]),
        `facets: ${facetKeys.join(", ")}`,
        ...(facetKeysLeftOut.length > 0 ? [`left out: ${facetKeysLeftOut.join(", ")}`] : []),
        `${formatCount(generation.skippedFiles, "file")} skipped, ${formatCount(generation.diagnostics, "diagnostic")}`,
      ];
    });
    return EXIT.done;
  },
};

const text = z.string().catch("");
const count = z.number().catch(0);
const SIZES = { documents: count, sections: count };
/** What a server says of itself, as far as it is shown. `id` is absent where it has no index to answer from. */
const STATUS = z.object({
  status: text,
  error: z.string().optional().catch(undefined),
  id: z.string().optional().catch(undefined),
  commit: text,
  builtAt: text,
  ...SIZES,
  indexBytes: count,
  collections: z.array(z.object({ name: text, ...SIZES })).catch([]),
  checks: z.array(z.object({ name: text, state: text, needed: z.boolean().catch(false) })),
});
type ServerStatus = z.output<typeof STATUS>;

interface Comparison {
  readonly what: string;
  readonly here: string;
  readonly there: string;
  readonly differs: boolean;
}

/**
 * Shows the status of the server at an address. The result is the exit code: 1 where a part fails that is needed, or where
 * the index to compare with is another one. Undefined where no server of this kind answers there.
 *
 * @throws {InputError} where nothing answers, or the server refuses.
 */
async function showServerStatus(address: string, input: CommandInput, terminal: Terminal): Promise<number | undefined> {
  const answer = await askServer(address, "/status");
  if (answer.status === 401 || answer.status === 403 || answer.status === 429) throw refusalOf(answer, address);
  const { body } = answer;
  // Where there is no such corpus, the server says which there are.
  if (answer.status >= 400 && Array.isArray(body?.["nearest"]) && !Array.isArray(body["checks"])) {
    throw refusalOf(answer, address);
  }
  const { data: status } = STATUS.safeParse(body);
  if (status === undefined) return undefined;
  const compared = await compare(status, input.text("index"));
  printResult(input, terminal, { url: address, ...body, compared }, () => describe(status, compared), clean);
  const isOther = compared.some(({ what, differs }) => what === "generation" && differs);
  return status.status !== "ok" || isOther ? EXIT.failed : EXIT.done;
}

async function compare({ id, commit: there }: ServerStatus, index: string | undefined): Promise<readonly Comparison[]> {
  if (id === undefined) return [];
  const compared: Comparison[] = [];
  const { commit } = await readCommit(process.cwd());
  if (commit !== "none" && there !== "none") {
    compared.push({ what: "commit", here: commit, there, differs: commit !== there });
  }
  if (index !== undefined) {
    const here = (await openIndexAt(index)).generation.id;
    compared.push({ what: "generation", here, there: id, differs: here !== id });
  }
  return compared;
}

function describe(status: ServerStatus, compared: readonly Comparison[]): string[] {
  const { id, commit, builtAt, collections, checks, error } = status;
  const age = formatAge(builtAt, Date.now());
  const sizes = ({ documents, sections }: { readonly documents: number; readonly sections: number }): string =>
    `${formatCount(documents, "document")}, ${formatCount(sections, "section")}`;
  const index = [
    `generation ${id}`,
    `commit ${commit}${age === undefined ? "" : `, built ${age}`}`,
    `${sizes(status)}, ${status.indexBytes} bytes of index`,
    ...collections.map((collection) => `  ${collection.name}: ${sizes(collection)}`),
  ];
  return [
    ...(error === undefined ? [] : [error]),
    ...(id === undefined ? [] : index),
    ...checks.map(({ name, state, needed }) => `${state.padEnd(6)} ${name}${needed ? "" : " (optional)"}`),
    ...compared.map(({ what, here, differs }) => `${what} here: ${here}, ${differs ? "another one" : "the same"}`),
  ];
}

const insightsCommand: Command = {
  name: "insights",
  summary: "Show what callers of a deployed server asked and did not find.",
  positionals: ["<url>"],
  options: { json: option.flag("Print one JSON object.") },
  details: `The server shows them to an admin key, which is taken from the environment variable ${KEY_VARIABLE}. A question is shown
when three callers or more had it on one day.`,
  async run(input, terminal) {
    const [address] = input.positionals;
    if (address === undefined) throw new UsageError("the address of a server is missing");
    const answer = await askServer(address, "/insights");
    const { status, body } = answer;
    const { data } = INSIGHTS.safeParse(body);
    if (status !== 200 || data === undefined) throw refusalOf(answer, address);
    printResult(input, terminal, body, () => describeInsights(data), clean);
    return EXIT.done;
  },
};

const INSIGHTS = z.object({
  since: text,
  queries: z.array(
    z.object({ query: text, count, callers: count, kinds: z.record(z.string(), count).catch({}), lastSeen: text }),
  ),
});

/** `  23 times, 7 callers, last 2026-08-30: install on windows (nothing 20, corrected 3)`, under a heading. */
function describeInsights({ since, queries }: z.output<typeof INSIGHTS>): string[] {
  if (queries.length === 0) return [`Nothing since ${since} that three callers or more had on one day.`];
  return [
    `${formatCount(queries.length, "question")} without a good answer since ${since}:`,
    ...queries.map(({ query, count, callers, kinds, lastSeen }) => {
      const found = Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`);
      return `  ${formatCount(count, "time")}, ${formatCount(callers, "caller")}, last ${lastSeen}: ${query} (${found.join(", ")})`;
    }),
  ];
}

type ServerAnswer = Readonly<Awaited<ReturnType<typeof askServer>>>;

/**
 * What a server answers to a GET.
 *
 * @param address The server's address, with or without `/mcp` at its end.
 * @throws {InputError} where the address is none, nothing answers there, or a key would travel in the open.
 */
async function askServer(address: string, path: string, key: string | undefined = process.env[KEY_VARIABLE]) {
  if (!URL.canParse(address)) throw new InputError(`${JSON.stringify(address)} is no web address`);
  const url = new URL(address);
  const base = url.pathname.replace(/\/(mcp\/?)?$/, "");
  const headers: Record<string, string> = { Accept: "application/json" };
  const withKey = key !== undefined && key !== "";
  if (withKey) {
    if (!isSafeForSecrets(url)) {
      throw new InputError(`the key in ${KEY_VARIABLE} is sent over https only, or to this machine`);
    }
    headers["Authorization"] = `Bearer ${key}`;
  }
  let response: Response;
  try {
    response = await fetch(`${url.origin}${base}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw Object.assign(new InputError(`${url.origin} does not answer: ${why}`), { cause });
  }
  const body: unknown = await response.json().catch(() => undefined);
  // A page, or nothing, is no object: then it is not the server that was meant.
  return { status: response.status, withKey, body: isRecord(body) ? body : undefined };
}

function refusalOf({ status, withKey, body }: ServerAnswer, address: string): InputError {
  const error = typeof body?.["error"] === "string" ? body["error"] : `status ${status}`;
  const sentence = /[.!?]$/.test(error) ? error : `${error}.`;
  const isKey = status === 401 || status === 403;
  const source = withKey ? `The key was that of ${KEY_VARIABLE}.` : `Set ${KEY_VARIABLE} to a key that may ask this.`;
  const { origin } = new URL(address);
  return new InputError(
    `${address} refuses: ${sentence}${isKey ? ` ${source}` : ""}`,
    corporaIn(body?.["nearest"]).map((name) => `${origin}/${name}`),
  );
}

/** Names of corpora among addresses that a server proposes. */
function corporaIn(nearest: unknown): readonly string[] {
  const addresses: readonly unknown[] = Array.isArray(nearest) ? nearest : [];
  return addresses.flatMap((one) => (typeof one === "string" ? (/^\/([^/]+)\/mcp$/.exec(one)?.[1] ?? []) : []));
}

export const statusCommands = { status: statusCommand, insights: insightsCommand };

export const checkCommand: Command = {
  name: "check",
  summary: "Check that an index is whole, and that every id in its maps leads somewhere.",
  positionals: ["[file...]"],
  options: {
    index: indexOption,
    "fail-on": BUILD_OUTPUT["fail-on"],
    strict: option.flag("Exit with 1 for warnings of the build too."),
    json: option.flag("Print one JSON object."),
  },
  details: `Files are those that hold a map, such as AGENTS.md; ${MAP_FILE} beside the index is one of them always.`,
  async run(input, terminal) {
    const place = readIndexOption(input);
    if (input.positionals.includes("")) throw new UsageError("name files that hold a map");
    const failOn = readFailOn(input.list("fail-on"));
    const { damaged, maps, log } = await checkIndex(place, input.positionals);
    const { diagnostics } = log;
    const failing = findFailing(log, failOn);
    const countOf = (wanted: Severity): number => diagnostics.filter(({ severity }) => severity === wanted).length;
    const [errors, warnings] = [countOf("error"), countOf("warning")];
    const dead = maps.flatMap((map) => map.dead);
    const isStrict = input.has("strict");
    const isGood =
      damaged.length === 0 && dead.length === 0 && failing.length === 0 && !(isStrict && errors + warnings > 0);
    const result = { ok: isGood, damaged, maps, errors, warnings, failingOn: countFailing(failing) };
    if (!input.has("json")) {
      for (const problem of damaged) terminal.warn(clean(problem));
      for (const id of dead) terminal.warn(clean(`  ${id} names nothing in the index`));
      printFailing(failing, terminal);
    }
    const state = damaged.length === 0 ? "all files are whole" : "files are damaged";
    const describe = () => [
      ...maps.map(({ file, ids, dead }) => `${file}: ${ids - dead.length} of ${ids} ids lead somewhere`),
      `${state}; ${formatCount(errors, "error")}, ${formatCount(warnings, "warning")}`,
    ];
    printResult(input, terminal, result, describe, clean);
    return isGood ? EXIT.done : EXIT.failed;
  },
};

interface CheckedMap {
  readonly file: string;
  readonly ids: number;
  /** Ids that lead nowhere. */
  readonly dead: readonly string[];
}

/**
 * Check the index at a place. `damaged` says what is wrong with the files, a line each.
 *
 * @param files Files that hold a map; that beside the index, where there is one, is looked at in any case.
 * @throws {InputError} where there is no index.
 * @throws {UsageError} where a file is not there or holds no map.
 */
export async function checkIndex(place: string, files: readonly string[]) {
  const reader = await openIndexAt(place);
  // Whoever removed the pointer did so just now: it was opened.
  const damaged = (await verifyFiles(place)) ?? ["there is no pointer"];
  const own = isAddress(place) ? undefined : join(place, MAP_FILE);
  const maps: CheckedMap[] = [];
  for (const file of [...(own === undefined ? [] : [own]), ...files]) {
    const text = await readText(file);
    if (text === undefined && file === own) continue;
    if (text === undefined) throw new UsageError(`there is no file ${JSON.stringify(file)}`);
    const section = file === own ? text : findSection(text, file);
    if (section === undefined) throw new UsageError(`${file} holds no map: treeline build --agents ${file} writes one`);
    const ids = listIds(section);
    maps.push({ file, ids: ids.length, dead: await findDeadIds(reader, ids) });
  }
  return { damaged, maps, log: await readLog(reader) };
}
