import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { PAGE_SCRIPT_PATHS } from "../../src/http/page-files.ts";
import { get, send } from "./ask.ts";
import { askAs } from "./ask-as.ts";
import { PRIVATE } from "./credentials.ts";
import { publishServedIndex } from "./served-index.ts";

const PATHS = PAGE_SCRIPT_PATHS;

describe("modules for pages", () => {
  beforeAll(publishServedIndex);

  it("are served to pages of all sites, with a tag that spares the second download", async () => {
    expect(PATHS).toEqual(expect.arrayContaining(["/search.js", "/highlight.js"]));
    for (const path of PATHS) {
      const response = await get(path, { Origin: "http://localhost:3000" });
      expect(response.status, path).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "public, max-age=300, stale-while-revalidate=86400",
        "x-content-type-options": "nosniff",
      });
      expect(await response.text()).toBe(await (await env.ASSETS.fetch(`https://assets.invalid${path}`)).text());
      const again = await get(path, { "If-None-Match": response.headers.get("ETag") ?? "" });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
    }
  });

  it("are served to pages that may not ask, which are told so", async () => {
    for (const origin of ["null", "http://192.168.1.5:3000", "https://docs.example.com"]) {
      const script = await get("/search.js", { Origin: origin });
      expect(script.status).toBe(200);
      expect(script.headers.get("Access-Control-Allow-Origin")).toBe("*");
      const refused = await get("/search?q=install", { Origin: origin });
      expect(refused.status).toBe(403);
      expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(await refused.json()).toMatchObject({ error: expect.stringContaining("may not call") as string });
    }
  });

  it("import only what is served beside them", async () => {
    for (const path of PATHS) {
      const text = await (await get(path)).text();
      for (const [, imported = ""] of text.matchAll(/\bimport\("(\.[^"]+)"\)/g)) {
        expect(PATHS, `${path} imports ${imported}`).toContain(new URL(imported, `http://x${path}`).pathname);
      }
    }
  });

  it("need no key in a private deployment, which pages could not send", async () => {
    expect((await askAs(PRIVATE, "/search?q=install")).status).toBe(401);
    for (const path of PATHS) expect((await askAs(PRIVATE, path)).status, path).toBe(200);
  });

  it("are read, not written", async () => {
    expect((await send("POST", "/search.js")).status).toBe(405);
    const head = await send("HEAD", "/search.js");
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });
});
