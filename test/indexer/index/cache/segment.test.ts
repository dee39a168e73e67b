import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Segment, SegmentWriter, type StoredDocument } from "../../../../indexer/index/cache/segment.ts";
import { DamagedCacheError } from "../../../../indexer/index/stages.ts";
import { storePages } from "../../../support/stored-pages.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const PAGES = Object.fromEntries(
  Array.from({ length: 5 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nRoute handler number ${n}, größer.\n`]),
);

async function writeSegment(): Promise<{ path: string; dir: string; stored: StoredDocument[] }> {
  const dir = await makeFolder();
  const path = join(dir, "000001.segment");
  const stored = storePages(PAGES).map((document, n) => ({
    ...document,
    code: Uint8Array.of(n, 7, 9),
    candidates: Uint8Array.of(n, 3),
  }));
  const writer = new SegmentWriter(path);
  for (const document of stored) writer.add(document);
  writer.finish().close();
  return { path, dir, stored };
}

/** What a segment says of a document, in values that compare. */
function read(segment: Segment, key: string): unknown {
  const found = segment.stored(key);
  return found && plain(found);
}

function plain(document: StoredDocument): unknown {
  const { body, code, candidates } = document;
  return { ...document, body: Array.from(body), code: Array.from(code), candidates: Array.from(candidates) };
}

describe("a segment", () => {
  it("holds what was written into it, and can be read while it is written", async () => {
    const { path, stored, dir } = await writeSegment();
    const segment = Segment.open(path) as Segment;
    expect([...segment.keys]).toEqual(stored.map(({ key }) => key));
    for (const document of stored) expect(read(segment, document.key)).toEqual(plain(document));
    expect([segment.has("gone"), segment.card("gone"), segment.body("gone")]).toEqual([false, undefined, undefined]);
    segment.close();
    const writer = new SegmentWriter(join(dir, "000002.segment"));
    for (const document of stored) {
      writer.add(document);
      writer.add(document);
      expect(writer.body(document.key)?.inverted.terms).toContain("rout");
      expect(Array.from(writer.code(document.key) ?? [])).toEqual(Array.from(document.code));
      expect(writer.hashes(document.key)).toEqual({ pairs: document.pairs, words: document.words });
    }
    expect(writer.size).toBe(stored.length);
    writer.discard();
    expect(readdirSync(dir)).toEqual(["000001.segment"]);
  });

  it("is not there under its name before it is whole", async () => {
    const dir = await makeFolder();
    const writer = new SegmentWriter(join(dir, "000001.segment"));
    writer.add(storePages(PAGES)[0] as StoredDocument);
    expect(readdirSync(dir).filter((name) => name.endsWith(".segment"))).toEqual([]);
    writer.finish().close();
    expect(readdirSync(dir)).toEqual(["000001.segment"]);
  });

  it("is left out when anything is missing at its end or its list is damaged", async () => {
    const { path } = await writeSegment();
    const whole = readFileSync(path);
    const open = (bytes: Uint8Array): Segment | undefined => {
      writeFileSync(path, bytes);
      return Segment.open(path);
    };
    for (let length = 0; length < whole.length; length += 37) expect(open(whole.subarray(0, length))).toBeUndefined();
    expect(open(whole.subarray(0, whole.length - 1))).toBeUndefined();
    for (let back = 1; back < 200; back += 7) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(whole.length - back) ^ 4, whole.length - back);
      expect(open(bytes)).toBeUndefined();
    }
    expect(Segment.open(`${path}.gone`)).toBeUndefined();
  });

  it("gives what it held or says that it is damaged, whatever byte changed", async () => {
    const { path, stored } = await writeSegment();
    const whole = readFileSync(path);
    const outcomes = new Set<string>();
    for (let at = 0; at < whole.length; at += 23) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(path, bytes);
      const segment = Segment.open(path);
      if (segment === undefined) {
        outcomes.add("left out");
        continue;
      }
      for (const document of stored) {
        const found = read(segment, document.key);
        if (found === undefined) outcomes.add("document gone");
        else expect(found).toEqual(plain(document));
        try {
          expect(segment.hashes(document.key)).toEqual({ pairs: document.pairs, words: document.words });
        } catch (error) {
          if (!(error instanceof DamagedCacheError)) throw error;
          outcomes.add("hashes refused");
        }
      }
      segment.close();
    }
    expect([...outcomes].sort()).toEqual(["document gone", "hashes refused", "left out"]);
  });
});
