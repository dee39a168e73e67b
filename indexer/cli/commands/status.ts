/**
 * Commands `status` and `insights`: what an index holds, how a deployed server is, and what its callers did not find.
 *
 * A key comes from the environment, because everybody on the machine can read the arguments of a process.
 */
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { isSafeForSecrets } from "../../../src/core/text/addresses.ts";
import { formatAge, formatCount } from "../../../src/surface/render/numbers.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import { isAddress } from "../../base/index-source.ts";
import { UsageError } from "../../base/usage-error.ts";
import { openIndexAt } from "../../open/open-index.ts";
import { readCommit } from "../../sources/git-commit.ts";
import { type Command, EXIT, printJson, type Terminal } from "../run-cli.ts";
import { indexOption, readIndexOption } from "./index-option.ts";

/** Variable of the environment that holds the key. */
const KEY_VARIABLE = "TREELINE_KEY";

/** A server that reads its index from far away and checks its parts answers within this. */
const TIMEOUT_MS = 30_000;
export const statusCommand: Command = {
  name: "status",
  summary: "Show what an index holds, or how a deployed server is: generation, commit, collections, counts, checks.",
  positionals: ["[url]"],
  options: { index: indexOption, json: { kind: "flag", description: "Print one JSON object." } },
  details: `With the address of a server: what it answers from and which of its parts work. --index compares it with that index; exit
code 1 where it is another one, or where a part fails that is needed. A private server takes the key in TREELINE_KEY.`,
  async run(input, terminal) {
    const [place] = input.positionals;
    if (place !== undefined && isAddress(place)) {
      const shown = await showServerStatus(place, { isJson: input.has("json"), index: input.text("index") }, terminal);
      if (shown !== undefined) return shown;
    }
    const { index } = await openIndexAt(place ?? readIndexOption(input));
    const { generation, collections } = index;
    if (
      printJson(input, terminal, {
        generation,
        collections,
        facetKeys: index.root.facetKeys,
        files: index.root.packs.length,
      })
    )
      return EXIT.done;
    terminal.print(`generation ${generation.id}, format ${generation.formatVersion}`);
    const { commit, committedAt = "", dirty, builtAt } = generation;
    const changed = dirty === true ? ", with changes" : "";
    terminal.print(`commit ${commit}${committedAt === "" ? "" : ` of ${committedAt}`}${changed}`);
    if (builtAt !== "") terminal.print(`built at ${builtAt}`);
    terminal.print(
      `${generation.documents} documents, ${generation.sections} sections, ${generation.words} words, ${generation.terms} terms`,
    );
    terminal.print(`${generation.indexBytes} bytes of index, ${generation.textBytes} bytes of text`);
    for (const { name, kind, access, documents, sections, version, baseUrl } of collections) {
      const more = [version, baseUrl].filter((part) => part !== "").join(" ");
      terminal.print(
        `  ${name} (${kind}, ${access}): ${documents} documents, ${sections} sections${more === "" ? "" : `, ${more}`}`,
      );
    }
    terminal.print(cleanText(`facets: ${index.root.facetKeys.join(", ")}`).text);
    if (generation.facetKeysLeftOut.length > 0)
      terminal.print(cleanText(`left out: ${generation.facetKeysLeftOut.join(", ")}`).text);
    terminal.print(
      `${formatCount(generation.skippedFiles, "file")} skipped, ${formatCount(generation.diagnostics, "diagnostic")}`,
    );
    return EXIT.done;
  },
};

/** How to show it. */
interface ServerStatusOptions {
  readonly isJson: boolean;
  /** An index to compare with: a folder or an address. */
  readonly index: string | undefined;
}

interface CheckLine {
  readonly name: string;
  readonly state: string;
  readonly needed: boolean;
}

/** What a server says of itself, as far as it is shown. */
interface ServerStatus {
  readonly isFailing: boolean;
  readonly error: string | undefined;
  /** Absent where it has no index to answer from. */
  readonly generation: { readonly id: string; readonly commit: string; readonly builtAt: string } | undefined;
  readonly documents: number;
  readonly sections: number;
  readonly indexBytes: number;
  readonly collections: readonly { readonly name: string; readonly documents: number; readonly sections: number }[];
  readonly checks: readonly CheckLine[];
}

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
async function showServerStatus(
  address: string,
  { isJson, index }: ServerStatusOptions,
  terminal: Terminal,
): Promise<number | undefined> {
  const answer = await askServer(address, "/status");
  if (answer.status === 401 || answer.status === 403 || answer.status === 429) throw refusalOf(answer, address);
  const { body } = answer;
  // Where there is no such corpus, the server says which there are.
  if (answer.status >= 400 && Array.isArray(body?.["nearest"]) && !Array.isArray(body["checks"])) {
    throw refusalOf(answer, address);
  }
  if (body === undefined || !Array.isArray(body["checks"])) return undefined;
  const status = parseStatus(body, body["checks"]);
  const compared = await compare(status, index);
  if (isJson) terminal.print(JSON.stringify({ url: address, ...body, compared }));
  else for (const line of describe(status, compared)) terminal.print(cleanText(line).text);
  const isOther = compared.some(({ what, differs }) => what === "generation" && differs);
  return status.isFailing || isOther ? EXIT.failed : EXIT.done;
}

function parseStatus(body: Readonly<Record<string, unknown>>, checks: readonly unknown[]): ServerStatus {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const number = (value: unknown): number => (typeof value === "number" ? value : 0);
  const objects = (list: unknown): Record<string, unknown>[] =>
    Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
  const { id, commit, builtAt, error } = body;
  return {
    isFailing: body["status"] !== "ok",
    error: typeof error === "string" ? error : undefined,
    generation: typeof id === "string" ? { id, commit: text(commit), builtAt: text(builtAt) } : undefined,
    documents: number(body["documents"]),
    sections: number(body["sections"]),
    indexBytes: number(body["indexBytes"]),
    collections: objects(body["collections"]).map((collection) => ({
      name: text(collection["name"]),
      documents: number(collection["documents"]),
      sections: number(collection["sections"]),
    })),
    checks: objects(checks).map((check) => ({
      name: text(check["name"]),
      state: text(check["state"]),
      needed: check["needed"] === true,
    })),
  };
}

async function compare({ generation }: ServerStatus, index: string | undefined): Promise<readonly Comparison[]> {
  if (generation === undefined) return [];
  const compared: Comparison[] = [];
  const { commit } = await readCommit(process.cwd());
  if (commit !== "none" && generation.commit !== "none") {
    const there = generation.commit;
    compared.push({ what: "commit", here: commit, there, differs: commit !== there });
  }
  if (index !== undefined) {
    const here = (await openIndexAt(index)).generation.id;
    compared.push({ what: "generation", here, there: generation.id, differs: here !== generation.id });
  }
  return compared;
}

function describe(status: ServerStatus, compared: readonly Comparison[]): string[] {
  const { generation, collections, checks, error } = status;
  const lines: string[] = [];
  if (error !== undefined) lines.push(error);
  if (generation !== undefined) {
    const { id, commit, builtAt } = generation;
    const age = formatAge(builtAt, Date.now());
    lines.push(
      `generation ${id}`,
      `commit ${commit}${age === undefined ? "" : `, built ${age}`}`,
      `${formatCount(status.documents, "document")}, ${formatCount(status.sections, "section")}, ${status.indexBytes} bytes of index`,
      ...collections.map(
        ({ name, documents, sections }) =>
          `  ${name}: ${formatCount(documents, "document")}, ${formatCount(sections, "section")}`,
      ),
    );
  }
  lines.push(...checks.map(({ name, state, needed }) => `${state.padEnd(6)} ${name}${needed ? "" : " (optional)"}`));
  lines.push(
    ...compared.map(({ what, here, differs }) => `${what} here: ${here}, ${differs ? "another one" : "the same"}`),
  );
  return lines;
}
export const insightsCommand: Command = {
  name: "insights",
  summary: "Show what callers of a deployed server asked and did not find.",
  positionals: ["<url>"],
  options: { json: { kind: "flag", description: "Print one JSON object." } },
  details: `The server shows them to an admin key, which is taken from the environment variable ${KEY_VARIABLE}. A question is shown
when three callers or more had it on one day.`,
  async run(input, terminal) {
    const [address] = input.positionals;
    if (address === undefined) throw new UsageError("the address of a server is missing");
    const answer = await askServer(address, "/insights");
    const { status, body } = answer;
    if (status !== 200 || body === undefined || !Array.isArray(body["queries"])) throw refusalOf(answer, address);
    if (printJson(input, terminal, body)) return EXIT.done;
    const queries: readonly unknown[] = body["queries"];
    const lines = queries.map(describeQuery).filter((line) => line !== "");
    terminal.print(
      lines.length === 0
        ? `Nothing since ${String(body["since"])} that three callers or more had on one day.`
        : `${formatCount(lines.length, "question")} without a good answer since ${String(body["since"])}:`,
    );
    for (const line of lines) terminal.print(cleanText(line).text);
    return EXIT.done;
  },
};

/** `  23 times, 7 callers, last 2026-08-30: install on windows (nothing 20, corrected 3)`. */
function describeQuery(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return "";
  const { query, count, callers, kinds, lastSeen } = entry as Readonly<Record<string, unknown>>;
  if (typeof query !== "string" || typeof count !== "number" || typeof callers !== "number") return "";
  const list = typeof kinds === "object" && kinds !== null ? Object.entries(kinds) : [];
  const found = list.map(([kind, times]) => `${kind} ${String(times)}`).join(", ");
  return `  ${formatCount(count, "time")}, ${formatCount(callers, "caller")}, last ${String(lastSeen)}: ${query} (${found})`;
}

/** An answer in JSON. */
interface ServerAnswer {
  readonly status: number;
  /** Whether a key was sent. */
  readonly withKey: boolean;
  /** The object that was sent; undefined where it was none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What a server answers to a GET.
 *
 * @param address The server's address, with or without `/mcp` at its end.
 * @throws {InputError} where the address is none, nothing answers there, or a key would travel in the open.
 */
async function askServer(
  address: string,
  path: string,
  key: string | undefined = process.env[KEY_VARIABLE],
): Promise<ServerAnswer> {
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
  return { status: response.status, withKey, body: parseObject(await response.text()) };
}

/** The error for an answer that is a refusal. */
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

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // A page, or nothing: then it is not the server that was meant.
  }
  return undefined;
}
