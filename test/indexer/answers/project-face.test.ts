/** Name, description, logo and colour of a project, from its configuration or its manifest to the explorer's pages. */
import { describe, expect, it } from "vitest";
import { EXPLORER_PAGES } from "../../../src/http/explorer/explorer-pages.ts";
import { BASE, pageServicesOf } from "../../support/http-services.ts";
import { makeCorpus } from "../../support/small-corpus.ts";

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
const PAGE = { "a.md": "# A page\n" };

/** What an index of these files answers at paths of the explorer. */
async function open(files: Readonly<Record<string, string>>, config: object) {
  const corpus = await makeCorpus({ ...PAGE, ...files }, config);
  await corpus.build("one");
  const services = pageServicesOf(await corpus.open("one"));
  return async (path: string): Promise<Response> => {
    const { pathname } = new URL(path, BASE);
    const page = EXPLORER_PAGES.find((one) => one.path === pathname);
    const request = new Request(`${BASE}${path}`, { headers: { Accept: "text/html" } });
    return (page as (typeof EXPLORER_PAGES)[number]).answer(request, services);
  };
}

/** By WCAG 2. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

describe("pages of a project", () => {
  it("have the name and description of its manifest, or of its configuration", async () => {
    const manifest = { "package.json": JSON.stringify({ name: "lamps", description: "Light <for> all" }) };
    const ask = await open(manifest, {});
    const text = await (await ask("/explorer/tree")).text();
    expect(text).toContain("<title>Documents in docs · lamps</title>");
    expect(text).toContain('<a class="name" href="/">lamps</a>');
    const overview = await (await (await open(manifest, { project: { name: "Lamps" } }))("/")).text();
    expect(overview).toContain("<title>Overview · Lamps</title>");
    expect(overview).toContain("<h1>Lamps</h1>");
    expect(overview).toContain("Light &lt;for&gt; all");
  });

  it("have the name of the repository where nothing else has one, else that of the server", async () => {
    const collections = [{ name: "docs", repository: "https://git.example/team/lanterns" }];
    expect(await (await (await open({}, { collections }))("/explorer/tree")).text()).toContain(" · lanterns</title>");
    const plain = await (await (await open({}, {}))("/explorer/tree")).text();
    expect(plain).toContain(" · Treeline</title>");
    expect(plain).not.toMatch(/<img|accent\.css/);
  });

  it("show its logo as a picture that runs nothing", async () => {
    const ask = await open({ "art/logo.svg": LOGO }, { project: { logo: "art/logo.svg" } });
    const [, address = ""] = /<img src="([^"]+)" alt=""/.exec(await (await ask("/explorer/tree")).text()) ?? [];
    const logo = await ask(address);
    expect(await logo.text()).toBe(LOGO);
    expect(logo.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(logo.headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*sandbox/);
    expect((await (await open({}, {}))("/explorer/logo")).status).toBe(404);
  });

  it.each(["#ff0", "#0b57c2", "#000", "#FFFFFF"])("show the colour %s so that it can be read", async (accent) => {
    const ask = await open({}, { project: { accent } });
    const [, address = ""] = /href="([^"]*accent\.css[^"]*)"/.exec(await (await ask("/explorer/tree")).text()) ?? [];
    const sheet = await (await ask(address.replaceAll("&amp;", "&"))).text();
    const [light = "", dark = ""] = [...sheet.matchAll(/--link:(#[0-9a-f]{6})/g)].map(([, colour]) => colour);
    expect(contrast(light, "#f5f7f9")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, "#1d2127")).toBeGreaterThanOrEqual(4.5);
    expect((await ask("/explorer/accent.css?light=red&dark=%23000000")).status).toBe(400);
  });

  it.each([
    [{ accent: "red" }, "0b57c2"],
    [{ logo: "logo.gif" }, ".svg or .png"],
    [{ logo: "none.svg" }, "is no file"],
    [{ logo: "large.svg" }, "at most 32768"],
    [{ logo: "../logo.svg" }, "leads out of"],
    [{ name: "a\nb" }, "one line"],
  ])("are refused %j", async (project, said) => {
    const corpus = await makeCorpus({ ...PAGE, "large.svg": "x".repeat(40_000) }, { project });
    await expect(corpus.build("one")).rejects.toThrow(said);
  });
});
