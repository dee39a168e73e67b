/** Markdown of pages by their addresses on the site, where the first folder of a page may look like the name of a corpus. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { get, send } from "./ask.ts";
import { FIXTURES, publishCorpus } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

async function firstLine(path: string, status = 200): Promise<string> {
  const response = await get(path);
  expect(response.status, path).toBe(status);
  return (await response.text()).trim().split("\n", 1)[0] ?? "";
}

beforeAll(async () => {
  await publishServedIndex();
  await publishCorpus("v1", FIXTURES.handbook);
});
afterAll(() => vi.useRealTimers());

describe("the address of a page with .md behind it", () => {
  it("is that of a corpus's page, with its name in front", async () => {
    const { results } = (await (await get("/v1/search?q=lamp&collection=docs&limit=1")).json()) as {
      results: { id: string; url: string; title: string }[];
    };
    const [{ id, url, title }] = results as [(typeof results)[number]];
    expect(url).toMatch(/^https:\/\/example\.org\/docs\//);
    const path = new URL(url).pathname;
    const markdown = await get(`/v1${path}.md`);
    expect(markdown.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
    expect(await markdown.text()).toBe(await (await get(`/v1/documents/${id}?format=markdown`)).text());
    expect(await firstLine(`/v1${path}.md`)).toContain(title);
    const head = await send("HEAD", `/v1${path}.md`);
    expect([head.status, head.headers.get("Link")]).toEqual([200, `<${url}>; rel="canonical"`]);
    // The corpus at the root has no such page, and none of its collections has addresses.
    expect(JSON.parse(await firstLine(`${path}.md`, 404))).toMatchObject({ error: `There is nothing at ${path}.md.` });
  });

  it("is that of a page at the root, whatever its folder is called", async () => {
    for (const [name, base64] of Object.entries(FIXTURES.handbook)) {
      const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
      await env.INDEX.put(name, bytes);
    }
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
    const { nearest } = JSON.parse(await firstLine("/docs/no-such-page.md", 404)) as { nearest: string[] };
    expect(nearest).toContain("/search?q=…");
    const { results } = (await (await get("/search?q=lamp&collection=docs&limit=1")).json()) as {
      results: { url: string; title: string }[];
    };
    const [{ url, title }] = results as [(typeof results)[number]];
    expect(await firstLine(`${new URL(url).pathname}.md`)).toContain(title);
  });

  it("answers GET alone", async () => {
    expect((await send("POST", "/docs/anything.md")).status).toBe(404);
  });
});
