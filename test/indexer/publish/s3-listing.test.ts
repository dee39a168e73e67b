import { describe, expect, it } from "vitest";
import { parseListing } from "../../../indexer/publish/s3.ts";

const OBJECT =
  "<Contents><Key>a%2Fb%20%26c</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;5289df737df57326fcdd22597afb1fac&quot;</ETag><Size>3</Size></Contents>";

function listing(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>${inner}</ListBucketResult>`;
}

describe("a list of objects", () => {
  it("gives names, sizes, times and tags", () => {
    const object = { name: "a/b &c", bytes: 3, modifiedAt: Date.parse("2026-01-01T00:00:00Z") };
    expect(parseListing(listing(`${OBJECT}<IsTruncated>false</IsTruncated>`))).toEqual({
      objects: [{ ...object, md5: "5289df737df57326fcdd22597afb1fac" }],
      prefixes: [],
      next: undefined,
    });
    const inParts = OBJECT.replace(/&quot;.*&quot;/, "&quot;5289df737df57326fcdd22597afb1fac-2&quot;");
    expect(parseListing(listing(inParts)).objects).toEqual([object]);
    const numbers = OBJECT.replaceAll("&quot;", "&#34;").replace("&#34;", "&#x22;");
    expect(parseListing(listing(numbers)).objects[0]).toHaveProperty("md5");
    expect(parseListing(listing("")).objects).toEqual([]);
  });

  it("gives what stands for many names up to a delimiter, and not the prefix that was asked for", () => {
    const common = "<CommonPrefixes><Prefix>a%2Fb%20c%2F</Prefix></CommonPrefixes>";
    const xml = listing(`${OBJECT}<Prefix>a%2F</Prefix>${common}${common.replace("b", "d")}`);
    expect(parseListing(xml).prefixes).toEqual(["a/b c/", "a/d c/"]);
  });

  it("says where it goes on", () => {
    const more = "<IsTruncated>true</IsTruncated><NextContinuationToken>x&amp;y+/=</NextContinuationToken>";
    expect(parseListing(listing(more)).next).toBe("x&y+/=");
    expect(() => parseListing(listing("<IsTruncated>true</IsTruncated>"))).toThrow("ends in the middle");
  });

  it("is not what a proxy's page is, nor a list of objects without size or time", () => {
    expect(() => parseListing("<!doctype html><p>Welcome</p>")).toThrow("is no list");
    for (const element of ["Key", "Size", "LastModified"]) {
      const without = OBJECT.replace(new RegExp(`<${element}>[^<]*</${element}>`), "");
      expect(() => parseListing(listing(without))).toThrow("without name, size or time");
    }
  });
});
