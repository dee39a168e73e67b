/**
 * Reading one source file: bytes to text, with the hash of the bytes, or the reason why it is skipped.
 *
 * The text is the file's, character by character: a byte order mark and CRLF stay, so that lines and offsets are those of the file; the
 * map of an index that a build wrote into a page is left out of it, its lines are empty. UTF-8 is the rule; UTF-16 is recognised by its
 * byte order mark, and HTML without one may declare another encoding. What is none of these is replaced by U+FFFD and reported; a file
 * with NUL bytes is binary and skipped, a page of HTML that holds a few aside.
 */

import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeUtf8 } from "../../src/core/bytes/writer.ts";
import { PAGE_ENDING } from "../../src/core/docs/node-id.ts";
import { InputError } from "../../src/core/errors.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { describeFsError, nodeFileSystem, onFsError, type SourceFileSystem } from "../base/file-system.ts";
import type { LimitsConfig } from "../config/config.ts";

/** Why a path was left out although the collection asks for it. */
type SkipReason =
  /** Larger than `limits.maxFileBytes`. */
  | "too-large"
  /** After the first `limits.maxFiles` in path order. */
  | "too-many-files"
  /** Too long a path for a key of the index. */
  | "path-too-long"
  /** A line feed or another control character in the path: it would write lines of its own into answers. */
  | "path-unprintable"
  /** Machine-made source that nobody reads, in a collection that nobody configured. */
  | "minified"
  /** A page of a built site that asks robots to leave it out. */
  | "noindex"
  /** A page that does no more than lead to another. */
  | "redirect"
  /** A page without `data-pagefind-body` of a site that marks others with it. */
  | "no-marked-body"
  | "binary"
  /** Every stage that could index it threw. */
  | "failed"
  /** The system refuses to open or list it. */
  | "unreadable"
  /** A pipe, socket or device. */
  | "not-a-file"
  /** A link to something outside the collection root. */
  | "symlink-outside"
  /** A link to a folder that the link itself lies in. */
  | "symlink-loop"
  /** A link to nothing. */
  | "symlink-broken"
  /** A second link to a folder that is already read through another one. */
  | "symlink-duplicate"
  /** A link into a folder that is never indexed, such as `node_modules`. */
  | "symlink-excluded";

export interface SkippedFile {
  /** Path relative to the collection root, `/` as separator. */
  readonly path: string;
  readonly reason: SkipReason;
  /** The reason in words, without the path. */
  readonly message: string;
  /** Size in bytes, where it was the reason or is known. */
  readonly bytes?: number;
}

/** Whether a file says by its name that it is minified. */
export function isMinified(path: string): boolean {
  return /\.min\.[cm]?js$/i.test(path);
}

/** Where browsers look for it. */
const LOOKED_AT_BYTES = 1024;

const META = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w:.-]{2,40})/i;

/** A NUL byte among so many first bytes makes a file binary; more would cost time on every text. */
const BINARY_PROBE_BYTES = 8192;

/** Share of a page of HTML: browsers read it all the same, and one that shows what a NUL is (Javadoc does) holds it. */
const MOST_NULS = 1 / 1000;
const FEW_NULS = 3;

/** Files that may declare their encoding. */
const HTML_ENDING = /\.html?$/i;

/** Hex digits of the SHA-256 that name a file's content. */
const CONTENT_HASH_DIGITS = 16;

interface SourceText {
  readonly ok: true;
  readonly text: string;
  /** Size of the file. */
  readonly bytes: number;
  /** First 16 hex digits of the SHA-256 of the file's bytes; of its text where a map of an index was left out of it. */
  readonly contentHash: string;
  /** At most one: bytes that are not text in the file's encoding. */
  readonly diagnostics: readonly Diagnostic[];
}

export type ReadResult = SourceText | { readonly ok: false; readonly skipped: SkippedFile };

/**
 * The text of a file, or why it is skipped. Rejects only on faults of our own.
 *
 * @param root Absolute path of the collection root.
 * @param path Path relative to it, as `discoverFiles` gives it.
 */
export async function readSourceFile(
  root: string,
  path: string,
  limits: Pick<LimitsConfig, "maxFileBytes">,
  fileSystem: SourceFileSystem = nodeFileSystem,
): Promise<ReadResult> {
  const bytes = await fileSystem.readFile(join(root, path)).catch(onFsError(describeFsError));
  if (typeof bytes === "string") return skip(path, "unreadable", `cannot be read: ${bytes}`);
  if (bytes.length > limits.maxFileBytes) {
    return skip(path, "too-large", describeTooLarge(bytes.length, limits.maxFileBytes), bytes.length);
  }
  return decodeSource(path, bytes);
}

/** The text of a file's bytes, or why they are skipped. */
export function decodeSource(path: string, bytes: Uint8Array): ReadResult {
  const encoding = detectEncoding(bytes);
  if (encoding === "utf-32") return skip(path, "binary", "is UTF-32 text; save it as UTF-8", bytes.length);
  const nuls = encoding === "utf-8" ? countNuls(bytes) : 0;
  if (nuls > (HTML_ENDING.test(path) ? Math.max(FEW_NULS, bytes.length * MOST_NULS) : 0)) {
    return skip(path, "binary", "holds NUL bytes, so it is not text", bytes.length);
  }
  const declared = encoding === "utf-8" && HTML_ENDING.test(path) ? declaredCharset(bytes) : undefined;
  const decoded = new TextDecoder(declared ?? encoding, { ignoreBOM: true }).decode(bytes);
  const text = PAGE_ENDING.test(path) ? withoutSection(decoded) : decoded;
  const line = declared !== undefined || encoding !== "utf-8" ? 0 : findInvalidUtf8Line(bytes, decoded);
  const contentHash = hashContent(text === decoded ? bytes : encodeUtf8(text));
  const diagnostics = line === 0 ? [] : [createEncodingDiagnostic(path, line)];
  return { ok: true, text, bytes: bytes.length, contentHash, diagnostics };
}

function countNuls(bytes: Uint8Array): number {
  let count = 0;
  const probe = bytes.subarray(0, BINARY_PROBE_BYTES);
  for (let at = probe.indexOf(0); at >= 0; at = probe.indexOf(0, at + 1)) count++;
  return count;
}

/** The hash that names a file's content: the first 16 hex digits of the SHA-256 of its bytes. */
function hashContent(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex").slice(0, CONTENT_HASH_DIGITS);
}

/** The content hash that `decodeSource` gives, mostly without decoding; undefined where the file cannot be read. */
export function hashSource(root: string, path: string): string | undefined {
  try {
    const bytes = readFileSync(join(root, path));
    const source = PAGE_ENDING.test(path) && bytes.includes(SECTION_BEGIN) ? decodeSource(path, bytes) : undefined;
    return source?.ok === true ? source.contentHash : hashContent(bytes);
  } catch (error) {
    // Left to the step that says why.
    return onFsError(() => undefined)(error);
  }
}

/** The message for a file above the limit. */
export function describeTooLarge(bytes: number, maxFileBytes: number): string {
  return `has ${bytes} bytes, more than limits.maxFileBytes (${maxFileBytes})`;
}

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32";

function detectEncoding(bytes: Uint8Array): Encoding {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "utf-32" : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? "utf-32" : "utf-8";
}

/** 1-based line of the first byte that is not UTF-8, by the text that was decoded of them, or 0. */
function findInvalidUtf8Line(bytes: Uint8Array, decoded: string): number {
  return isUtf8(bytes) ? 0 : decoded.slice(0, decoded.indexOf("\ufffd")).split(/\r\n?|\n/).length;
}

function createEncodingDiagnostic(path: string, line: number): Diagnostic {
  return {
    severity: "warning",
    code: "invalid-utf8",
    message: "bytes that are not UTF-8 were replaced by U+FFFD, first on this line; save the file as UTF-8",
    path,
    line,
  };
}

function skip(path: string, reason: SkipReason, message: string, bytes?: number): ReadResult {
  return { ok: false, skipped: { path, reason, message, ...(bytes === undefined ? {} : { bytes }) } };
}

/** Label of the encoding that a page of HTML declares as `TextDecoder` takes it; undefined for none, UTF-8, or an unknown one. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return undefined;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, LOOKED_AT_BYTES)).replace(/<!--[\s\S]*?-->/g, "");
  const label = META.exec(start)?.[1];
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    // What declares UTF-16 in single bytes is not UTF-16: browsers take it for UTF-8, too.
    return /^utf-/.test(encoding) ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/*
 * The section of a file that holds a map of an index: between two marks, and nothing outside of them is touched.
 */

/** The mark that a section begins with. */
const SECTION_BEGIN = "<!-- treeline:begin -->";
const END = "<!-- treeline:end -->";

/** What stands between the marks of a text; undefined where there are none. @throws {InputError} for half a section. */
export function findSection(text: string, file: string): string | undefined {
  const place = placeOf(text, file);
  return place === undefined ? undefined : text.slice(place.start, place.end);
}

/** A text with its section replaced, or with one at its end. Line ends stay as the text has them. */
export function putSection(text: string, map: string, file: string): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const section = `${SECTION_BEGIN}\n${map}${END}`.replaceAll("\n", lineEnd);
  const place = placeOf(text, file);
  if (place !== undefined) return text.slice(0, place.start) + section + text.slice(place.end);
  if (text === "") return `${section}${lineEnd}`;
  return `${text.replace(/\s*$/, "")}${lineEnd}${lineEnd}${section}${lineEnd}`;
}

function placeOf(text: string, file: string): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(SECTION_BEGIN);
  const end = text.indexOf(END, start < 0 ? 0 : start);
  if (start < 0 && end < 0) return undefined;
  if (start >= 0 && end >= 0 && text.indexOf(SECTION_BEGIN, start + 1) < 0) return { start, end: end + END.length };
  throw new InputError(`${file} must hold ${SECTION_BEGIN} and ${END} once each, one behind the other, or neither`);
}

/**
 * A text without what stands in its section, line for line: a map is made of the index, and would change it each time.
 * Half a section is text as any other, and so are marks that a line names.
 */
function withoutSection(text: string): string {
  const start = text.indexOf(SECTION_BEGIN);
  const end = start < 0 ? -1 : text.indexOf(END, start);
  if (end < 0 || !text.slice(start, end).includes("\n")) return text;
  const behind = end + END.length;
  // One at the end leaves the text as it was before.
  if (text.slice(behind).trim() === "") return text.slice(0, start).replace(/\s*$/, "\n");
  return text.slice(0, start) + text.slice(start, behind).replace(/[^\r\n]+/g, "") + text.slice(behind);
}
