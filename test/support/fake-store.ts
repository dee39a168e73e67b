/**
 * A store of objects in memory whose requests take time, fail, or end with the one who sent them. Its state can be looked at after
 * each change.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../indexer/publish/object-store.ts";
import { type ObjectStore, TooLarge } from "../../indexer/publish/object-store.ts";

/** An object as the store holds it. */
export interface HeldObject {
  readonly bytes: Uint8Array;
  readonly modifiedAt: number;
}

/** What all who use the store share. */
export interface FakeState {
  readonly objects: Map<string, HeldObject>;
  /** Called after each change, with the name of what was written or removed. */
  onChange: (name: string) => void;
}

/** How one user's requests go. */
export interface FakeOptions {
  readonly clock: Clock;
  /** Milliseconds until a request has its effect, and from then until its answer comes. */
  readonly delay?: () => number;
  /** What happens to a request: it is lost before or after its effect, or nothing. */
  readonly fault?: () => "before" | "after" | undefined;
  /** Requests until the user is killed: the next one has its effect or not, and nobody gets an answer any more. */
  readonly lives?: number;
  readonly onKilled?: () => void;
}

/** A server may do what it was asked for after the one who asked stopped waiting. */
const LATE_MS = 10_000;

/** What a request ends with that is lost. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** A store with nothing in it. */
export function createFakeState(): FakeState {
  return { objects: new Map(), onChange: () => undefined };
}

/** The store as one user sees it. */
export function openFakeStore(state: FakeState, options: FakeOptions): ObjectStore {
  const { clock, delay = () => 0, fault = () => undefined, lives = Number.POSITIVE_INFINITY } = options;
  const never = <T>(): Promise<T> => {
    options.onKilled?.();
    return new Promise(() => undefined);
  };
  let requests = 0;
  const request = async <T>(effect: () => T, deadline = Number.POSITIVE_INFINITY): Promise<T> => {
    const at = requests++;
    if (at > lives) return never();
    const fate = fault();
    await clock.sleep(delay());
    if (fate === "before") throw new Lost();
    const late = clock.elapsed() - deadline;
    if (late > LATE_MS) throw new Lost();
    const result = effect();
    await clock.sleep(delay());
    if (at === lives) return never();
    if (fate === "after" || late > 0) throw new Lost();
    return result;
  };
  return openAt("", { state, clock, request, requests: () => requests });
}

interface FakeUser {
  readonly state: FakeState;
  readonly clock: Clock;
  readonly request: <T>(effect: () => T, deadline?: number) => Promise<T>;
  readonly requests: () => number;
}

function openAt(prefix: string, user: FakeUser): ObjectStore {
  const { state, clock, request } = user;
  const { objects } = state;
  const write = (name: string, bytes: Uint8Array): void => {
    objects.set(prefix + name, { bytes: bytes.slice(), modifiedAt: clock.now() });
    state.onChange(prefix + name);
  };
  const tagOf = (name: string): string | undefined => {
    const held = objects.get(prefix + name);
    return held === undefined ? undefined : md5(held.bytes);
  };
  return {
    place: `the fake store${prefix === "" ? "" : ` at ${prefix}`}`,
    requests: user.requests,
    within: (folder) => openAt(`${prefix}${folder}/`, user),
    get: (name, maxBytes = Number.POSITIVE_INFINITY) =>
      request(() => {
        const held = objects.get(prefix + name);
        if (held !== undefined && held.bytes.length > maxBytes) throw new TooLarge(name, maxBytes, "the fake store");
        return held === undefined ? undefined : { bytes: held.bytes.slice(), etag: md5(held.bytes) };
      }),
    put: (name, bytes, _type, known) =>
      request(() => {
        if (tagOf(name) !== known) return false;
        write(name, bytes);
        return true;
      }),
    upload: (name, bytes) => request(() => write(name, bytes)),
    list: () =>
      request(() =>
        [...viewOf(objects, prefix)].map(([name, { bytes, modifiedAt }]) => ({
          name,
          bytes: bytes.length,
          modifiedAt,
          md5: md5(bytes),
        })),
      ),
    folders: () =>
      request(() => {
        const below = [...objects.keys()].filter((name) => name.startsWith(prefix)).map((n) => n.slice(prefix.length));
        return [
          ...new Set(below.filter((name) => name.includes("/")).map((name) => name.replace(/\/.*$/s, ""))),
        ].sort();
      }),
    remove: (names, deadline) =>
      request(() => {
        for (const name of names) {
          objects.delete(prefix + name);
          state.onChange(prefix + name);
        }
      }, deadline),
  };
}

/** The objects directly below a prefix, by their names behind it. */
export function viewOf(objects: ReadonlyMap<string, HeldObject>, prefix: string): ReadonlyMap<string, HeldObject> {
  const inside = [...objects].filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes("/"));
  return new Map(inside.map(([name, held]) => [name.slice(prefix.length), held]));
}

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
