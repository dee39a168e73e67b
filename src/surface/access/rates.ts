/**
 * Whose requests are counted together: those of one consumer, else those of one address.
 *
 * Pure: values in, a name out.
 */
import { ANONYMOUS, type Caller } from "./caller.ts";

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
