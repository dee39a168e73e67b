/**
 * Lists of objects as the S3 API writes them (ListObjectsV2 with `encoding-type=url`).
 *
 * Pure: text in, values out. Names are percent-encoded, so the few elements that are read hold no markup but that of their tags.
 */
import type { ListedObject } from "./object-store.ts";

/** One page of a list. */
export interface ListingPage {
  readonly objects: readonly ListedObject[];
  /** What names have in common up to a delimiter, that included. */
  readonly prefixes: readonly string[];
  /** Where the next page begins; undefined for the last one. */
  readonly next: string | undefined;
}

/** The page that an answer holds. @throws {Error} where it is no list. */
export function parseListing(xml: string): ListingPage {
  if (!/<ListBucketResult[\s>]/.test(xml)) throw new Error("the bucket answered with something that is no list");
  const objects = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, inner = ""]) => parseObject(inner));
  const prefixes = [...xml.matchAll(/<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>\s*<\/CommonPrefixes>/g)];
  const outside = xml.replace(/<Contents>[\s\S]*?<\/Contents>/g, "");
  const next = readElement(outside, "IsTruncated") === "true" ? readElement(outside, "NextContinuationToken") : "";
  if (next === undefined) throw new Error("the bucket's list ends in the middle");
  return {
    objects,
    prefixes: prefixes.map(([, text = ""]) => decodeName(text)),
    next: next === "" ? undefined : unescapeXml(next),
  };
}

function parseObject(xml: string): ListedObject {
  const name = readElement(xml, "Key");
  const bytes = Number(readElement(xml, "Size"));
  const modifiedAt = Date.parse(readElement(xml, "LastModified") ?? "");
  if (name === undefined || !Number.isSafeInteger(bytes) || Number.isNaN(modifiedAt)) {
    throw new Error("the bucket lists an object without name, size or time");
  }
  // Of an object that was uploaded in parts the tag is something else, with a dash in it.
  const md5 = /^"([0-9a-f]{32})"$/.exec(unescapeXml(readElement(xml, "ETag") ?? ""))?.[1];
  return { name: decodeName(name), bytes, modifiedAt, ...(md5 !== undefined && { md5 }) };
}

function readElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

function decodeName(encoded: string): string {
  const text = unescapeXml(encoded).replaceAll("+", " ");
  try {
    return decodeURIComponent(text);
  } catch {
    // Of somebody else's object: it is shown, and never asked for.
    return text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
