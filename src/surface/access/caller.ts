/**
 * Callers: what of an index each may see, and whose requests are counted together.
 *
 * An index has one shard for each access group, so a group is the least that can be shown or hidden without leaving a trace in counts and
 * weights. A caller whose key lists collections sees the groups of which it lists every one.
 */
import type { CollectionInfo } from "../../core/format/root.ts";
import { CORPUS_NAME } from "./corpus-name.ts";

/** Access group of what everybody may see in a deployment that is public. */
export const PUBLIC_GROUP = "public";

export interface Caller {
  /** For logs and limits: `anonymous`, the name of a key's consumer, or the subject of a token. */
  readonly name: string;
  /** Collections that they may see: all, none but public ones, or those that a key lists, of whichever corpus. */
  readonly collections: "all" | "public" | readonly string[];
  /** Whether the group `public` is open to them whatever their key lists, as it is in a deployment that is public. */
  readonly seesPublic: boolean;
  /** Whether they may read what only a maintainer should: query insights. */
  readonly isAdmin: boolean;
}

/** Somebody who showed nothing, in a deployment that is public. */
export const ANONYMOUS: Caller = { name: "anonymous", collections: "public", seesPublic: true, isAdmin: false };

/** Who asks at an open address of a private deployment: they see nothing. */
export const NOBODY: Caller = { ...ANONYMOUS, collections: [], seesPublic: false };

/** What stands for all collections of a corpus, behind its name: `v2/*`; alone for all of the root. */
const ALL_COLLECTIONS = "*";

/**
 * What an entry of a key's list names: `guide` a collection of the root, `*` all of them, `v2/guide` one of the corpus v2, `v2/*` all
 * of them. Undefined where it is none of these. Names of collections hold no slash, so one is never taken for another.
 *
 * A name that came to be reserved after a key was made is read still: else that one key would make the whole file unreadable.
 */
export function readListed(entry: string) {
  const slash = entry.indexOf("/");
  if (slash === -1) return entry === "" ? undefined : { corpus: "", collection: oneOf(entry) };
  const [corpus, name] = [entry.slice(0, slash), entry.slice(slash + 1)];
  if (!CORPUS_NAME.test(corpus) || name === "" || name.includes("/")) return undefined;
  return { corpus, collection: oneOf(name) };
}

function oneOf(name: string): string | undefined {
  return name === ALL_COLLECTIONS ? undefined : name;
}

/** The same caller before one corpus: their list is of its collections alone. @param corpus `""` for the one at the root. */
export function callerIn(caller: Caller, corpus: string): Caller {
  if (typeof caller.collections === "string") return caller;
  const listed = caller.collections.map(readListed).filter((one) => one?.corpus === corpus);
  const names = listed.flatMap((one) => (one?.collection === undefined ? [] : [one.collection]));
  return { ...caller, collections: names.length < listed.length ? "all" : names };
}

/**
 * Whether a caller is told that there is a corpus: where something of it may be open to them. In a deployment that is public
 * that is every corpus, as its addresses are.
 */
export function mayKnow(caller: Caller, corpus: string): boolean {
  if (caller.seesPublic) return true;
  const { collections } = callerIn(caller, corpus);
  return typeof collections === "string" || collections.length > 0;
}

/** Access groups that a caller may see in an index with these collections, in the order of the collections. */
export function visibleGroups(caller: Caller, collections: readonly CollectionInfo[]): readonly string[] {
  const groups = [...new Set(collections.map(({ access }) => access))];
  return groups.filter((group) => {
    if (group === PUBLIC_GROUP && (caller.seesPublic || caller.collections === "public")) return true;
    if (caller.collections === "all") return true;
    if (caller.collections === "public") return false;
    const listed = new Set(caller.collections);
    return collections.every(({ access, name }) => access !== group || listed.has(name));
  });
}

/** Access groups of which a list names some collections and not all: who has that list does not see them. */
export function partlyListed(
  listed: readonly string[],
  collections: readonly CollectionInfo[],
): readonly { readonly group: string; readonly listed: readonly string[]; readonly missing: readonly string[] }[] {
  return [...new Set(collections.map(({ access }) => access))].flatMap((group) => {
    const names = collections.filter(({ access }) => access === group).map(({ name }) => name);
    const missing = names.filter((name) => !listed.includes(name));
    return missing.length > 0 && missing.length < names.length
      ? [{ group, listed: names.filter((name) => listed.includes(name)), missing }]
      : [];
  });
}

/** Seconds over which the platform counts, as `wrangler.toml` sets it for each binding: when to come again. */
export const RATE_PERIOD_SECONDS = 60;

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
/** Groups of an IPv6 address that a network gives to one customer: the first 64 bits. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** What a caller's requests are counted under. @param address As the platform gives it; null where it does not. */
export function rateKey(caller: Caller, address: string | null): string {
  return caller.name === ANONYMOUS.name ? addressKey(address) : `caller ${caller.name}`;
}

/** What requests from an address are counted under: an IPv4 address whole, an IPv6 one by its /64. */
export function addressKey(address: string | null): string {
  const text = (address ?? "").trim();
  if (IPV4.test(text)) return `address ${text}`;
  const groups = groupsOf(text);
  if (groups === undefined) return "address unknown";
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return `address ${[high >> 8, high & 0xff, low >> 8, low & 0xff].join(".")}`;
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `address ${network.join(":")}::/64`;
}

/** The eight groups of an IPv6 address, in any of its spellings; undefined where it is none. */
function groupsOf(text: string): readonly number[] | undefined {
  const address = `http://[${text}]/`;
  if (!/^[\da-fA-F:.]+$/.test(text) || !URL.canParse(address)) return undefined;
  const [head = "", tail] = new URL(address).hostname.slice(1, -1).split("::");
  const parse = (part: string): number[] => (part === "" ? [] : part.split(":").map((group) => parseInt(group, 16)));
  const [first, last] = [parse(head), parse(tail ?? "")];
  return [...first, ...Array.from({ length: GROUPS - first.length - last.length }, () => 0), ...last];
}
