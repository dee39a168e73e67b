/**
 * State of a session as it travels between its storage and the calls that use it, with the check of what arrives, and the interface of
 * the storage.
 */
import type { FacetFilter } from "../../core/docs/model.ts";
import type { ShownLevel, ShownSection } from "../../core/docs/shown.ts";
import type { RankingSettings } from "../../core/search/ranking-settings.ts";

/** How long a session lives after it was used last. */
export const SESSION_LIFE_MS = 24 * 60 * 60 * 1000;

/** What a session was opened with. A type alias, so that it counts as a JSON object. */
export type SessionSettings = {
  /** Names of the collections it is narrowed to; none = all. */
  readonly collections: readonly string[];
  /** The version that was asked for, or `""`; `filters` holds it, too. */
  readonly version: string;
  readonly filters: FacetFilter;
  readonly ranking: RankingSettings;
  /** Estimated tokens that all answers together may have; 0 = as many as are asked for. */
  readonly tokenBudget: number;
};

/** A generation that a session keeps using. An empty `root` marks one that cannot be opened again. */
export type SessionPin = {
  readonly id: string;
  /** Name of its root file, and the file's size in bytes. */
  readonly root: string;
  readonly rootBytes: number;
  readonly log: string;
  /** Build time, as in `GenerationInfo`. */
  readonly builtAt: string;
};

/** A session at its beginning. */
export type SessionOpening = {
  readonly settings: SessionSettings;
  /** Access groups that its opener saw: nobody else may use it. */
  readonly groups: readonly string[];
  readonly pin: SessionPin;
};

/** One call of a session's past. */
export type TrailEntry = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tool: string;
  /** Its query, or what it read. */
  readonly about: string;
};

/** A session as it stands. */
export interface SessionState extends SessionOpening {
  /** Milliseconds since 1970, as are the next two. */
  readonly openedAt: number;
  readonly usedAt: number;
  /** When it ends, unless it is used before. */
  readonly expiresAt: number;
  readonly calls: number;
  /** Estimated tokens of all its answers. */
  readonly tokens: number;
  /** Hash of the last call, or `""`. */
  readonly lastCall: string;
  /** Hashes of blocks that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Sections that were shown, in all. */
  readonly shownCount: number;
  /** Their ids by number (`docs:a.md#n3`; a symbol's own id) and levels, the latest last; empty unless asked for. */
  readonly shown: ReadonlyMap<string, ShownLevel>;
  /** The last calls, the latest last; empty unless asked for. */
  readonly trail: readonly TrailEntry[];
}

/** What beside the state itself is read. */
export type StatePart = "shown" | "trail";

/** What a call adds to its session. A type alias, so that it counts as a JSON object. */
export type CallRecord = {
  readonly tokens: number;
  /** What of it belongs in the trail; null for a call that only looks at the session. */
  readonly trail: { readonly tool: string; readonly about: string } | null;
  /** Hash of the call; `""` leaves the last one. */
  readonly lastCall: string;
  readonly shown: readonly ShownSection[];
  /** Hashes of blocks that were sent. */
  readonly sent: readonly string[];
  /** Another generation to hold on to from now on: what was shown of the old one is forgotten. */
  readonly pin: SessionPin | null;
};

/** Rows of storage as they travel. */
export type StoredState = {
  readonly openedAt: number;
  readonly usedAt: number;
  readonly opening: string;
  readonly pin: string;
  readonly calls: number;
  readonly tokens: number;
  readonly lastCall: string;
  readonly sent: readonly string[];
  readonly shownCount: number;
  readonly shown: readonly (readonly [nodeId: string, level: number])[];
  readonly trail: readonly TrailEntry[];
};

/** The state that storage answered with. @throws {Error} where it is none. */
export function readState(stored: unknown): SessionState {
  const row = objectOf(stored, "state");
  const opening = readOpening(parse(textOf(row.opening, "opening")));
  const pin = textOf(row.pin, "pin");
  const usedAt = numberOf(row.usedAt, "usedAt");
  return {
    ...opening,
    pin: pin === "" ? opening.pin : readPin(parse(pin)),
    openedAt: numberOf(row.openedAt, "openedAt"),
    usedAt,
    expiresAt: usedAt + SESSION_LIFE_MS,
    calls: numberOf(row.calls, "calls"),
    tokens: numberOf(row.tokens, "tokens"),
    lastCall: textOf(row.lastCall, "lastCall"),
    sent: new Set(textsOf(row.sent, "sent")),
    shownCount: numberOf(row.shownCount, "shownCount"),
    shown: new Map(
      listOf(row.shown, "shown").map((entry) => {
        const [nodeId, level] = listOf(entry, "a section");
        return [textOf(nodeId, "a section's id"), levelOf(level)];
      }),
    ),
    trail: listOf(row.trail, "trail").map((entry) => {
      const { at, tool, about } = objectOf(entry, "a call");
      return { at: numberOf(at, "at"), tool: textOf(tool, "tool"), about: textOf(about, "about") };
    }),
  };
}

function readOpening(value: unknown): SessionOpening {
  const { settings, groups, pin } = objectOf(value, "opening");
  const { collections, version, filters, ranking, tokenBudget } = objectOf(settings, "settings");
  const { include, exclude } = objectOf(filters, "filters");
  return {
    settings: {
      collections: textsOf(collections, "collections"),
      version: textOf(version, "version"),
      filters: { include: listsOf(include), exclude: listsOf(exclude) },
      ranking: Object.fromEntries(
        Object.entries(objectOf(ranking, "ranking")).map(([name, number]) => [name, numberOf(number, name)]),
      ),
      tokenBudget: numberOf(tokenBudget, "tokenBudget"),
    },
    groups: textsOf(groups, "groups"),
    pin: readPin(pin),
  };
}

function readPin(value: unknown): SessionPin {
  const { id, root, rootBytes, log, builtAt } = objectOf(value, "pin");
  return {
    id: textOf(id, "id"),
    root: textOf(root, "root"),
    rootBytes: numberOf(rootBytes, "rootBytes"),
    log: textOf(log, "log"),
    builtAt: textOf(builtAt, "builtAt"),
  };
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(what, value);
  return value as Readonly<Record<string, unknown>>;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(what, value);
  return value;
}

function textsOf(value: unknown, what: string): string[] {
  return listOf(value, what).map((entry) => textOf(entry, what));
}

function listsOf(value: unknown): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(objectOf(value, "a filter")).map(([key, list]) => [key, textsOf(list, key)]),
  );
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== "string") throw wrong(what, value);
  return value;
}

function numberOf(value: unknown, what: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(what, value);
  return value;
}

function levelOf(value: unknown): ShownLevel {
  if (value !== 1 && value !== 2 && value !== 3) throw wrong("a level", value);
  return value;
}

/** Says of what kind the value is and not what it holds: callers' texts do not belong in a log. */
function wrong(what: string, value: unknown): Error {
  return new Error(`a session's storage answered with ${value === null ? "null" : typeof value} for ${what}`);
}

/** Sessions by their ids. */
export interface Sessions {
  /** Makes a session of a new id. */
  readonly open: (id: string, opening: SessionOpening) => Promise<void>;
  /** The session as it stands; undefined where there is none, or none any more. */
  readonly read: (id: string, parts: readonly StatePart[]) => Promise<SessionState | undefined>;
  /** Adds what a call showed and cost. Nothing happens where the session ended meanwhile. */
  readonly record: (id: string, call: CallRecord) => Promise<void>;
}
