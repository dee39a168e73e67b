/**
 * Sessions around calls: a session is opened with a handle, looked up before a call, its settings and memory go into the
 * call, and what the answer showed and cost is added after it. One read and one write of the session a call.
 *
 * A scope is there for convenience: what a call names itself is answered even outside of it, with a note. Access is decided
 * elsewhere.
 */

import type { Signer } from "../core/bytes/capabilities.ts";
import { encodeBase64Url } from "../core/bytes/encodings.ts";
import type { FacetFilter } from "../core/docs/model.ts";
import { splitDocumentId } from "../core/docs/node-id.ts";
import { InputError } from "../core/errors.ts";
import type { CostCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { foldName } from "../core/text/nearest.ts";
import { type SigningKeys, seal, unseal } from "../surface/access/signing-keys.ts";
import type { RenderedAnswer } from "../surface/render/render.ts";
import { estimateTokens, foldLine, formatNumber, sumTokens } from "../surface/render/text.ts";
import {
  SESSION_LIFE_MS,
  type SessionPin,
  type SessionSettings,
  type SessionState,
  type Sessions,
} from "../surface/session/session-state.ts";
import { SESSION_ARGUMENT, type Tool } from "./tool.ts";

/** Names under which a handle is taken, folded. */
const ARGUMENT_NAMES: ReadonlySet<string> = new Set([SESSION_ARGUMENT, "session_id", "session_handle"].map(foldName));
/** Characters of a call's description in the trail. */
const MAX_ABOUT_LENGTH = 120;
/** Tokens of the words that are added to the last line. */
const BUDGET_LINE_TOKENS = 15;
/** Arguments that say best what a call was about, the best first. */
const TELLING = [
  "query",
  "pattern",
  "node_ids",
  "node_id",
  "symbol",
  "file",
  "doc_id",
  "target",
  "package",
  "category",
];
/** Key of the facet that holds a document's collection. */
const COLLECTION_KEY = "collection";
/** Arguments that name a place: a call with one of them is about that place. */
const PLACES = ["doc_id", "node_id", "node_ids", "file", "symbol", "target", "from", "to", "path"] as const;

type Values = Readonly<Record<string, unknown>>;

/** The arguments of a call without the handle, and the handle: the argument's, else the address's. */
export function takeHandle(given: Values, addressSession: string | undefined) {
  const entries = Object.entries(given);
  const isHandle = ([name, value]: readonly [string, unknown]): boolean =>
    ARGUMENT_NAMES.has(foldName(name)) && value !== undefined;
  const own = entries.find((entry) => isHandle(entry) && entry[1] !== null && entry[1] !== "")?.[1];
  return { rest: Object.fromEntries(entries.filter((entry) => !isHandle(entry))), handle: own ?? addressSession };
}

/** A call within a session. What the call finds out is noted here, to be added at its end. */
export class SessionCall {
  readonly state: SessionState;
  /** Sections whose words the answer showed. */
  shown: readonly string[] = [];
  /** The generation that answered, where it is not the one that the session held on to. */
  movedTo: SessionPin | undefined;
  readonly #sessions: Sessions;
  readonly #id: string;
  /** Arguments as they were read; none where they were refused. */
  #values: Values = {};

  constructor(sessions: Sessions, id: string, state: SessionState) {
    this.#sessions = sessions;
    this.#id = id;
    this.state = state;
  }

  /**
   * The session that a handle names; undefined without one.
   *
   * @throws {InputError} where it names none, or where no sessions are kept.
   */
  static async enter(
    tool: Pick<Tool, "opensSession" | "sessionParts">,
    handle: unknown,
    { sessions, signingKeys }: { readonly sessions?: Sessions | undefined; readonly signingKeys: SigningKeys },
  ): Promise<SessionCall | undefined> {
    if (handle === undefined || tool.opensSession) return undefined;
    if (sessions === undefined) throw new InputError("This server keeps no sessions; call without session.");
    // What it was is not repeated: it may be a handle with something around it.
    if (typeof handle !== "string") throw new InputError("session must be the text that open_session gave.");
    const id = await readHandle(await signingKeys("session"), handle.trim());
    const state = id === undefined ? undefined : await sessions.read(id, tool.sessionParts ?? []);
    if (id === undefined || state === undefined) throw unknownSession();
    return new SessionCall(sessions, id, state);
  }

  /**
   * Holds a session against who calls: only who sees the same access groups as its opener may use it. Who sees fewer would
   * read what they may not see; who sees more would leave it in the memory of somebody who may not.
   *
   * @throws {InputError} as if there were no such session.
   */
  checkCaller(reader: IndexReader): void {
    const seen = groupsOf(reader);
    const existing = new Set(reader.index.collections.map(({ access }) => access));
    const held = this.state.groups.filter((group) => existing.has(group));
    if (held.length !== seen.length || !held.every((group) => seen.includes(group))) throw unknownSession();
  }

  /**
   * Tokens that the next answer may have beside the words that are added to its last line: with them `asked` at most, and what
   * is left of the session's; `least` where less is left. What a session holds is told whatever is left.
   */
  limitTokens(tool: Pick<Tool, "sessionParts">, asked: number, least: number): number {
    const { settings, tokens } = this.state;
    if (settings.tokenBudget === 0) return asked;
    const room = asked - BUDGET_LINE_TOKENS;
    return looksOnly(tool) ? room : Math.min(room, Math.max(least, settings.tokenBudget - tokens - BUDGET_LINE_TOKENS));
  }

  /** Notes the generation that answers, where it is not the one that the session held on to. */
  async follow(services: Pinning, reader: IndexReader, counters: CostCounters): Promise<void> {
    if (this.state.pin.id !== reader.index.generation.id) this.movedTo = await pinOf(services, reader, counters);
  }

  /** Notes what is asked. */
  note(values: Values): void {
    this.#values = values;
  }

  /** The arguments of a call as they are within the session, and sentences on what was left out of its scope. */
  applySettings(tool: Pick<Tool, "name" | "parameters">, values: Values): ScopedArguments {
    const { settings } = this.state;
    const notes = namesOutside(values, settings.collections).map(
      (name) => `${name} is outside of this session's scope (${settings.collections.join(", ")}).`,
    );
    const isAboutPlace = PLACES.some((name) => values[name] !== undefined);
    const scoped = isAboutPlace ? { values, notes: [] } : narrow(tool, values, settings);
    const hasRanking = tool.parameters.ranking !== undefined && Object.keys(settings.ranking).length > 0;
    const ranking = hasRanking && { ranking: { ...settings.ranking, ...(values.ranking as object | undefined) } };
    return { values: { ...scoped.values, ...ranking }, notes: [...notes, ...scoped.notes] };
  }

  /** Whether a document lies in the collections of the scope; undefined where it has none. */
  get inScope(): ((documentId: string) => boolean) | undefined {
    const { collections } = this.state.settings;
    return collections.length === 0 ? undefined : (id) => collections.includes(splitDocumentId(id).collection);
  }

  /** The answer with the session's sum after it; added to the session. */
  async finish(tool: Tool, result: RenderedAnswer, isBare: boolean): Promise<RenderedAnswer> {
    const { settings, tokens } = this.state;
    const told =
      settings.tokenBudget === 0 ? result.content : addSum(result.content, tokens, settings.tokenBudget, isBare);
    await this.#sessions.record(this.#id, {
      tokens: sumTokens(told),
      trail: looksOnly(tool) ? null : { tool: tool.name, about: describeCall(this.#values) },
      shown: result.isError === true ? [] : this.shown,
      pin: this.movedTo ?? null,
    });
    return { ...result, content: told };
  }
}

/** Access groups that the caller of a reader sees. */
function groupsOf(reader: IndexReader): string[] {
  return [...new Set(reader.collections.map(({ access }) => access))];
}

/** Whether a tool only looks at the session: its calls are no part of the session's past. */
function looksOnly({ sessionParts }: Pick<Tool, "sessionParts">): boolean {
  return sessionParts?.includes("trail") === true;
}

type Content = RenderedAnswer["content"];

/** Behind the line with commit and age, or on a line of its own where the answer has none. */
function addSum(content: Content, before: number, budget: number, isBare: boolean): Content {
  const write = (tokens: number): string => `session: ${formatNumber(tokens)} of ${formatNumber(budget)} tokens`;
  const told = write(before + sumTokens(content) + estimateTokens(write(budget)));
  const last = isBare ? undefined : content.at(-1);
  const kept = last === undefined ? content : content.slice(0, -1);
  return [...kept, { type: "text", text: last === undefined ? told : `${last.text}; ${told}` }];
}

function describeCall(values: Values): string {
  const told = TELLING.map((name) => values[name]).find((value) => value !== undefined);
  return told === undefined ? "" : foldLine([told].flat().join(", "), MAX_ABOUT_LENGTH);
}

/** Arguments with those of the session. */
interface ScopedArguments {
  readonly values: Values;
  /** Sentences for the answer: what was left out of the scope. */
  readonly notes: readonly string[];
}

function narrow(
  { name, parameters }: Pick<Tool, "name" | "parameters">,
  values: Values,
  { collections, filters }: SessionSettings,
): ScopedArguments {
  const takesFilters = parameters.filters?.kind === "filter";
  const isOpen = values.collection === undefined && collections.length > 0;
  const takesOne = isOpen && parameters.collection !== undefined;
  const [only] = collections;
  if (takesOne && collections.length === 1) {
    return mergeFilters({ ...values, collection: only }, takesFilters ? filters : undefined);
  }
  if (takesFilters) {
    const include = { ...filters.include, ...(isOpen && { [COLLECTION_KEY]: collections }) };
    return mergeFilters(values, { include, exclude: filters.exclude });
  }
  const note = `${name} takes one collection or all; this is of all, not only of ${collections.join(", ")}.`;
  return { values, notes: takesOne ? [note] : [] };
}

/** Both filters: keys of either must hold; of a key that both have, the values that both allow. */
function mergeFilters(values: Values, scope: FacetFilter | undefined): ScopedArguments {
  const keys = Object.keys({ ...scope?.include, ...scope?.exclude });
  if (scope === undefined || keys.length === 0) return { values, notes: [] };
  const own = (values.filters ?? { include: {}, exclude: {} }) as FacetFilter;
  const notes: string[] = [];
  const include = new Map(Object.entries(own.include));
  for (const [key, allowed] of Object.entries(scope.include)) {
    const wanted = include.get(key);
    const both = wanted?.filter((value) => allowed.includes(value)) ?? allowed;
    if (both.length > 0) include.set(key, both);
    else notes.push(`${key} ${(wanted ?? []).join(", ")} is outside of this session's scope (${allowed.join(", ")}).`);
  }
  const exclude = new Map(Object.entries(own.exclude));
  for (const [key, refused] of Object.entries(scope.exclude)) {
    exclude.set(key, [...new Set([...(exclude.get(key) ?? []), ...refused])]);
  }
  const filters: FacetFilter = { include: Object.fromEntries(include), exclude: Object.fromEntries(exclude) };
  return { values: { ...values, filters }, notes };
}

/** Collections and ids that the call names and that lie in other collections. */
function namesOutside(values: Values, collections: readonly string[]): string[] {
  if (collections.length === 0) return [];
  const { collection } = values;
  const ids = PLACES.flatMap((name) => values[name] ?? []).filter((one): one is string => typeof one === "string");
  const isOutside = (name: string): boolean => name !== "" && !collections.includes(name);
  return [
    ...(typeof collection === "string" && isOutside(collection) ? [collection] : []),
    ...ids.filter((id) => isOutside(splitDocumentId(id).collection)),
  ];
}

/** What opening needs of the shell around it, as `ToolServices` has it. */
interface Services extends Pinning {
  readonly sessions: Sessions;
  readonly signingKeys: SigningKeys;
  readonly now: number;
  readonly origin?: string;
}

/** Gives the current generation, where generations can be opened again. */
interface Pinning {
  readonly pinCurrent?: (counters: CostCounters) => Promise<SessionPin | undefined>;
}

/** A new session with these settings, for who asks with this reader. */
export async function openSession(
  services: Services,
  reader: IndexReader,
  settings: SessionSettings,
  counters: CostCounters,
) {
  const { handle, id } = await makeHandle(await services.signingKeys("session"));
  const pin = await pinOf(services, reader, counters);
  await services.sessions.open(id, { settings, groups: groupsOf(reader), pin });
  const { origin, now } = services;
  const urls = origin === undefined ? [] : [`${origin}/mcp?session=${handle}`, `${origin}/s/${handle}/mcp`];
  return { handle, expiresAt: now + SESSION_LIFE_MS, urls };
}

/** What a session holds on to that begins, or goes on, with this reader. */
async function pinOf({ pinCurrent }: Pinning, reader: IndexReader, counters: CostCounters): Promise<SessionPin> {
  const { id, builtAt } = reader.index.generation;
  const current = await pinCurrent?.(counters);
  // A generation that was published since the reader was made is another one.
  return current?.id === id ? current : { id, root: "", rootBytes: 0, log: "", builtAt };
}

/*
 * Handles: the names that callers have for sessions, 16 random bytes, sealed, so that nobody can make one up. A handle is all that
 * it takes to use a session, so it stands in no log, no cursor and no error.
 */

const ID_BYTES = 16;

/** A handle for a new session, and the id by which storage knows it. */
export async function makeHandle(signer: Signer): Promise<{ readonly handle: string; readonly id: string }> {
  const id = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return { handle: await seal(signer, id), id: encodeBase64Url(id) };
}

/** The id of the session that a handle names, whether or not there is such a session; undefined when this signer did not make it. */
export async function readHandle(signer: Signer, handle: string): Promise<string | undefined> {
  const id = await unseal(signer, handle, ID_BYTES);
  return id && encodeBase64Url(id);
}

/** The error for a session that does not exist, is over, or is not the caller's: they are not told apart. */
function unknownSession(): InputError {
  return new InputError(
    "There is no such session here: it ended after a day without use, its handle belongs to another corpus, or it is not written as it was given. Open a new one with open_session and pass its handle as session with every call: it goes before one in the address. Or call without a session in arguments and address.",
    [],
    "open_session({})",
  );
}
