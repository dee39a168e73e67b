/**
 * Reading one file: encodings, byte order marks, binaries, sizes and faults.
 */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodeFileSystem } from "../../../indexer/base/file-system.ts";
import { decodeSource, readSourceFile } from "../../../indexer/sources/read-file.ts";
import { runs } from "../../support/runs.ts";

const LIMITS = { maxFileBytes: 1000 };

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-read-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe("readSourceFile", () => {
  test("gives the text, the size and the hash of the bytes", async () => {
    const bytes = Buffer.from("# Über uns\r\n");
    await writeFile(join(dir, "a.md"), bytes);
    expect(await readSourceFile(dir, "a.md", LIMITS)).toEqual({
      ok: true,
      text: "# Über uns\r\n",
      bytes: 13,
      contentHash: createHash("sha256").update(bytes).digest("hex").slice(0, 16),
      diagnostics: [],
    });
  });

  test("a file that has grown over the limit since it was found is skipped", async () => {
    await writeFile(join(dir, "a.md"), "x".repeat(1001));
    expect(await readSourceFile(dir, "a.md", LIMITS)).toEqual({
      ok: false,
      skipped: {
        path: "a.md",
        reason: "too-large",
        message: "has 1001 bytes, more than limits.maxFileBytes (1000)",
        bytes: 1001,
      },
    });
  });

  test.each([
    ["EACCES", "cannot be read: permission denied"],
    ["EIO", "cannot be read: i/o error"],
    ["EXYZ", "cannot be read: the system answers EXYZ"],
  ])("%s makes a skipped file without an absolute path", async (code, message) => {
    const fail = (path: string) => Promise.reject(Object.assign(new Error(`${code}: ${path}`), { code }));
    const result = await readSourceFile(dir, "a.md", LIMITS, { ...nodeFileSystem, readFile: fail });
    expect(result).toEqual({ ok: false, skipped: { path: "a.md", reason: "unreadable", message } });
  });

  test("a file that is gone, and one that became a folder, are skipped", async () => {
    expect(await readSourceFile(dir, "gone.md", LIMITS)).toMatchObject({ skipped: { reason: "unreadable" } });
    expect(await readSourceFile(dir, ".", LIMITS)).toMatchObject({ skipped: { reason: "unreadable" } });
  });

  test("a fault of our own is not taken for one of the disk", async () => {
    const fileSystem = { ...nodeFileSystem, readFile: () => Promise.reject(new TypeError("bug")) };
    await expect(readSourceFile(dir, "a.md", LIMITS, fileSystem)).rejects.toThrow(TypeError);
  });
});

describe("decodeSource", () => {
  test("keeps a byte order mark, so that offsets are those of the file", () => {
    expect(decode("\uFEFF# A\n")).toMatchObject({ text: "\uFEFF# A\n", diagnostics: [] });
  });

  test("reads UTF-16 of either byte order by its mark", () => {
    const little = Buffer.from("\uFEFF# Grüße \u{1F600}\n", "utf16le");
    expect(decodeSource("a.md", little)).toMatchObject({ text: "\uFEFF# Grüße \u{1F600}\n", diagnostics: [] });
    expect(decodeSource("a.md", Buffer.from(little).swap16())).toMatchObject({
      text: "\uFEFF# Grüße \u{1F600}\n",
      diagnostics: [],
    });
  });

  test("an empty file is empty text", () => {
    expect(decode("")).toMatchObject({ ok: true, text: "", bytes: 0, diagnostics: [] });
  });

  test.each([
    ["\n", 3],
    ["\r\n", 3],
    ["\r", 3],
  ])("invalid UTF-8 is replaced and reported on its line, with lines ending in %j", (end, line) => {
    const bytes = Buffer.concat([
      Buffer.from(`é${end}ok${end}a`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`${end}b`),
      Buffer.from([0xc3]),
    ]);
    const result = decodeSource("a.md", bytes) as Extract<ReturnType<typeof decodeSource>, { ok: true }>;
    expect(result.text).toBe(`é${end}ok${end}a\uFFFD\uFFFD${end}b\uFFFD`);
    expect(result.diagnostics).toEqual([
      {
        severity: "warning",
        code: "invalid-utf8",
        message: "bytes that are not UTF-8 were replaced by U+FFFD, first on this line; save the file as UTF-8",
        path: "a.md",
        line,
      },
    ]);
  });

  test("a replacement character that is in the file itself is no fault", () => {
    expect(decode("a \uFFFD b")).toMatchObject({ diagnostics: [] });
    const utf16 = Buffer.from("\uFEFFa\n\uFFFD", "utf16le");
    expect(decodeSource("a.md", utf16)).toMatchObject({ diagnostics: [] });
  });

  test("a NUL byte near the start makes a file binary, one far behind does not", () => {
    expect(decode("a\0b")).toMatchObject({ ok: false, skipped: { reason: "binary", bytes: 3 } });
    expect(decode(`${"x".repeat(8191)}\0`)).toMatchObject({ ok: false });
    expect(decode(`${"x".repeat(8192)}\0`)).toMatchObject({ ok: true });
  });

  test("a page of HTML may hold some NUL bytes, and UTF-16 without its mark does not", () => {
    const page = Buffer.from(`<p>The character \0 ends a string.${" word".repeat(100)}`);
    expect(decodeSource("a.html", page)).toMatchObject({ ok: true, diagnostics: [] });
    expect(decodeSource("a.html", Buffer.alloc(2_000))).toMatchObject({ ok: false, skipped: { reason: "binary" } });
    expect(decodeSource("a.html", Buffer.from("<p>A page of text", "utf16le"))).toMatchObject({
      skipped: { message: "holds NUL bytes, so it is not text" },
    });
  });

  test("UTF-32 is skipped with its name", () => {
    for (const bytes of [
      [0xff, 0xfe, 0, 0, 0x41, 0, 0, 0],
      [0, 0, 0xfe, 0xff, 0, 0, 0, 0x41],
    ]) {
      expect(decodeSource("a.md", Uint8Array.from(bytes))).toMatchObject({
        skipped: { reason: "binary", message: "is UTF-32 text; save it as UTF-8" },
      });
    }
  });

  test("any text comes back from its UTF-8 unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("\0"));
        expect(decode(text)).toMatchObject({ ok: true, text, diagnostics: [] });
      }),
    );
  });

  test("any bytes are text, with a diagnostic exactly when they are not UTF-8, or skipped", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const result = decodeSource("a.md", bytes);
        if (result.ok && bytes[0] !== 0xff && bytes[0] !== 0xfe) {
          const isIntact = Buffer.from(result.text, "utf8").equals(bytes);
          expect(result.diagnostics.length === 0).toBe(isIntact);
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});

function decode(text: string): ReturnType<typeof decodeSource> {
  return decodeSource("a.md", Buffer.from(text, "utf8"));
}
