/** Pages of the explorer, asked with every credential: nobody is shown a word of a collection that they may not see. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NAVIGATION } from "../../src/http/explorer/links.ts";
import { GROUPED } from "../support/grouped-files.ts";
import { KEYS } from "./access-files.ts";
import { askAs } from "./ask-as.ts";
import { BAD, bearer, GOOD, groupsSeen, NONE, PRIVATE, PUBLIC, prepareCredentials } from "./credentials.ts";
import { expectNothingHidden } from "./nothing-hidden.ts";

const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** Pages about what a collection holds. */
function pagesAbout(name: string, word: string): readonly string[] {
  const low = word.toLowerCase();
  return [
    ...NAVIGATION.map(({ path }) => path),
    `/explorer/search?q=install+${low}&explain=1`,
    "/explorer/search?q=common+section&limit=50",
    `/explorer/search?q=${low.slice(0, -1)}&typing=1`,
    `/explorer/search?q=install&collection=${name}`,
    `/explorer/search?q=install&f.type=${low}-guide`,
    `/explorer/tree?collection=${name}`,
    `/documents/${name}:guide/${low}-setup.md`,
    `/documents/${name}-code:src/${low}.ts`,
    `/documents/${name}:guide/${low}-setu.md`,
  ];
}

describe.each([
  ["a public deployment", PUBLIC, [NONE, ...GOOD]],
  ["a private deployment", PRIVATE, GOOD],
] as const)("%s", (_, settings, credentials) => {
  beforeAll(prepareCredentials);
  afterAll(() => vi.unstubAllGlobals());

  it.each(credentials)("shows a caller with $name no word of what they may not see", async (credential) => {
    await expectNothingHidden(settings, credential, pagesAbout, BROWSER);
  });

  it.each(credentials)("confirms to a caller with $name no page of somebody who sees more", async (credential) => {
    for (const path of ["/", "/explorer/search?q=install"]) {
      const whole = await askAs(settings, path, { headers: { ...BROWSER, ...bearer(KEYS.all) } });
      expect(whole.headers.get("Cache-Control")).toBe("private, no-cache");
      const headers = { ...BROWSER, ...credential.headers(), "If-None-Match": whole.headers.get("ETag") ?? "" };
      const again = await askAs(settings, path, { headers });
      // Who sees all and is no admin has other pages to go to.
      if (again.status === 304) expect(groupsSeen(settings, credential)).toHaveLength(3);
    }
  });

  it.each(BAD.slice(0, 4))("shows %s how to get in, and nothing else", async (_name, headers) => {
    for (const path of [
      "/",
      "/explorer/search?q=install",
      "/explorer/nothing",
      "/documents/docs:guide/meadow-setup.md",
    ]) {
      const response = await askAs(settings, path, { headers: { ...BROWSER, ...headers() } });
      const text = await response.text();
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(response.headers.get("Content-Type")).toContain("text/html");
      expect(text).toContain("How to get in");
      for (const { word } of GROUPED) expect(text.toLowerCase()).not.toContain(word.toLowerCase());
    }
  });
});

describe("a private deployment to nobody", () => {
  beforeAll(prepareCredentials);
  afterAll(() => vi.unstubAllGlobals());

  it("shows a page that leads to the guide for clients, which says nothing of what is indexed", async () => {
    const refusal = await askAs(PRIVATE, "/", { headers: BROWSER });
    expect(refusal.status).toBe(401);
    expect(await refusal.text()).toContain(`href="/explorer/connect"`);
    // Of a corpus, there or not, it leads to that corpus: nobody is told which there are.
    const [there, madeUp] = await Promise.all(
      ["v2", "made-up"].map(async (name) => {
        const text = await (await askAs(PRIVATE, `/${name}/explorer/search`, { headers: BROWSER })).text();
        const links = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to = ""]) => to);
        expect(links).toContain(`/${name}/explorer/connect`);
        for (const link of links) expect(link).toMatch(new RegExp(`^(#|/${name}(/|$))`));
        return text.replaceAll(name, "NAME");
      }),
    );
    expect(there).toBe(madeUp);
    const named = await askAs(PRIVATE, "/v9/explorer/connect", { headers: BROWSER });
    const guide = await askAs(PRIVATE, "/explorer/connect", { headers: BROWSER });
    expect([guide.status, named.status]).toEqual([200, 200]);
    const text = await guide.text();
    expect(text).toContain("TREELINE_KEY");
    expect(text).not.toContain("Generation");
    for (const { word, name } of GROUPED)
      expect(text.toLowerCase()).not.toMatch(new RegExp(`\\b(${word.toLowerCase()}|${name}-code)`));
  });

  it("serves what pages load", async () => {
    for (const name of ["style.css", "script.js"]) expect((await askAs(PRIVATE, `/explorer/${name}`)).status).toBe(200);
  });

  it("has its query insights in the head of an admin alone", async () => {
    const admin = await askAs(PRIVATE, "/", { headers: { ...BROWSER, ...bearer(KEYS.all) } });
    const reader = await askAs(PRIVATE, "/", { headers: { ...BROWSER, ...bearer(KEYS.docs) } });
    const head = (text: string): string => text.slice(0, text.indexOf("<main"));
    expect(head(await admin.text())).toContain("/explorer/insights");
    expect(head(await reader.text())).not.toContain("/explorer/insights");
  });
});
