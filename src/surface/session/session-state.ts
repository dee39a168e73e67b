/**
 * State of a session as it travels between its storage and the calls that use it, and the interface of the storage.
 */
import type { FacetFilter } from "../../core/docs/model.ts";
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

export type SessionOpening = {
  readonly settings: SessionSettings;
  /** Access groups that its opener saw: nobody else may use it. */
  readonly groups: readonly string[];
  readonly pin: SessionPin;
};

type TrailEntry = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tool: string;
  /** Its query, or what it read. */
  readonly about: string;
};

export interface SessionState extends SessionOpening {
  /** Milliseconds since 1970, as are the next two. */
  readonly openedAt: number;
  readonly usedAt: number;
  /** When it ends, unless it is used before. */
  readonly expiresAt: number;
  readonly calls: number;
  /** Estimated tokens of all its answers. */
  readonly tokens: number;
  /** Sections whose words were shown, in all. */
  readonly shownCount: number;
  /** Their ids by number (`docs:a.md#n3`), the latest last; empty unless asked for. */
  readonly shown: ReadonlySet<string>;
  /** The last calls, the latest last; empty unless asked for. */
  readonly trail: readonly TrailEntry[];
}

export type StatePart = "shown" | "trail";

/** What a call adds to its session. A type alias, so that it counts as a JSON object. */
export type CallRecord = {
  readonly tokens: number;
  /** What of it belongs in the trail; null for a call that only looks at the session. */
  readonly trail: { readonly tool: string; readonly about: string } | null;
  /** Sections whose words it showed. */
  readonly shown: readonly string[];
  /** Another generation to hold on to from now on: what was shown of the old one is forgotten. */
  readonly pin: SessionPin | null;
};

export type StoredState = Pick<SessionState, "openedAt" | "usedAt" | "calls" | "tokens" | "shownCount" | "trail"> & {
  readonly opening: string;
  readonly pin: string;
  readonly shown: readonly string[];
};

/** The state out of rows that this program wrote. */
export function readState({ opening, pin, shown, ...row }: StoredState): SessionState {
  const opened: SessionOpening = JSON.parse(opening);
  const held: SessionPin = pin === "" ? opened.pin : JSON.parse(pin);
  return {
    ...opened,
    ...row,
    pin: held,
    expiresAt: row.usedAt + SESSION_LIFE_MS,
    shown: new Set(shown),
  };
}

export interface Sessions {
  /** Makes a session of a new id. */
  readonly open: (id: string, opening: SessionOpening) => Promise<void>;
  /** The session as it stands; undefined where there is none, or none any more. */
  readonly read: (id: string, parts: readonly StatePart[]) => Promise<SessionState | undefined>;
  /** Adds what a call showed and cost. Nothing happens where the session ended meanwhile. */
  readonly record: (id: string, call: CallRecord) => Promise<void>;
}
