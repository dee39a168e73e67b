import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { isCorpusName } from "../../../src/surface/access/corpus-name.ts";

const FILE = `${"0a".repeat(16)}.pack`;
const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index);

function read(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return exports.IndexFiles.fetch(new Request(`https://index-files.internal/${path}`, { method, headers }));
}

async function bytesOf(response: Response): Promise<number[]> {
  return [...new Uint8Array(await response.arrayBuffer())];
}

describe("IndexFiles", () => {
  beforeAll(async () => {
    await env.INDEX.put(FILE, BYTES);
    await env.INDEX.put("treeline.pointer", BYTES);
    await env.INDEX.put("access.json", "{}");
  });

  it("serves a range for ever", async () => {
    const response = await read(FILE, { Range: "bytes=10-19" });
    expect(response.status).toBe(206);
    expect(response.headers.get("Content-Range")).toBe("bytes 10-19/100");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("ETag")).toMatch(/^".+"$/);
    expect(await bytesOf(response)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it("serves the whole file where no range is asked for, so that a cache can keep it", async () => {
    for (const headers of [{}, { Range: "bytes=5-" }, { Range: "bytes=0-1,5-6" }, { Range: "nonsense" }]) {
      const response = await read(FILE, headers as Record<string, string>);
      expect(response.status).toBe(200);
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(await bytesOf(response)).toEqual([...BYTES]);
    }
  });

  it("serves what there is of a range that runs past the end", async () => {
    const response = await read(FILE, { Range: "bytes=98-120" });
    expect(response.status).toBe(206);
    expect(response.headers.get("Content-Range")).toBe("bytes 98-99/100");
    expect(await bytesOf(response)).toEqual([98, 99]);
  });

  it("refuses a range behind the end, and keeps no refusal", async () => {
    const response = await read(FILE, { Range: "bytes=100-110" });
    expect(response.status).toBe(416);
    expect(response.headers.get("Content-Range")).toBe("bytes */100");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it.each(["v2", "a", "2.0", "x".repeat(64)])(
    "serves files of the corpus %s, and those of no other in their place",
    async (corpus) => {
      expect(isCorpusName(corpus)).toBe(true);
      const own = BYTES.map((byte) => byte + 100);
      expect((await read(`${corpus}/${FILE}`)).status).toBe(404);
      await env.INDEX.put(`${corpus}/${FILE}`, own);
      await env.INDEX.put(`${corpus}/treeline.pointer`, own);
      expect(await bytesOf(await read(`${corpus}/${FILE}`))).toEqual([...own]);
      expect(await bytesOf(await read(FILE))).toEqual([...BYTES]);
      expect((await read(`${corpus}/treeline.pointer`)).status).toBe(404);
    },
  );

  it.each([
    `${"0b".repeat(16)}.pack`,
    "treeline.pointer",
    "access.json",
    "",
    "a/b",
    "..%2Faccess.json",
    `/${FILE}`,
    `.v2/${FILE}`,
    `V2/${FILE}`,
    `v2%2F${FILE}`,
    `v2/v2/${FILE}`,
    `v2/../${FILE}x`,
  ])("has no file %j", async (path) => {
    const response = await read(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it("only reads", async () => {
    expect((await read(FILE, {}, "DELETE")).status).toBe(405);
  });
});
