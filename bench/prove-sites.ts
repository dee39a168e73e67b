/**
 * Prove on real sites, made of packages from npm and real pages, that one line gives them search: VitePress, Starlight, and
 * Starlight with Astro's router; and that Starlight's own search, which is Pagefind's, runs on an index of its HTML.
 * Somebody searches in Chromium, follows a hit, goes on by links of the site, goes back.
 *
 *   npm run prove:sites -- [FOLDER]
 *
 * Pictures are kept in FOLDER where it is named. Needs the network. Ends with 1 where something does not work.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Browser, chromium, type Page } from "playwright-core";
import { projectRoot } from "../test/support/environment.ts";
import { chromiumOptions } from "../test/support/find-chromium.ts";
import { buildSite, fetchPages, must, type SitePlan } from "./sites/site.ts";
import { planStarlight } from "./sites/starlight.ts";
import { visitStarlightSearch } from "./sites/starlight-search.ts";
import { type Problems, serveSite, visitSite } from "./sites/visit.ts";
import { planVitePress } from "./sites/vitepress.ts";
import { makeTable } from "./tables.ts";

/** Folder of the index in a site, and that of the index in place of Pagefind's. */
const INDEX = "treeline";
const PAGEFIND = "pagefind";
const FOUND = { query: "catch-all parser", leadsTo: "/reference/contenttypeparser" } as const;

interface Proof {
  readonly name: string;
  readonly plan: SitePlan;
  /** Folder of the pages in Markdown, which are indexed as they are; the HTML that was built is where it is absent. */
  readonly pages?: string;
  /** Folder of the index in the built site. */
  readonly index: string;
  readonly visit: (page: Page, url: string) => Promise<Problems>;
  /** What is tried there, in a few words. */
  readonly tried: string;
}

const [pictures] = process.argv.slice(2);
const work = await mkdtemp(join(tmpdir(), "treeline-sites-"));
const rows: string[][] = [];
try {
  const pages = await fetchPages(join(work, "package"));
  const browser = await chromium.launch(chromiumOptions());
  try {
    for (const proof of plan(pages)) {
      const problems = await prove(browser, proof);
      for (const problem of problems) console.log(`${proof.name}: ${problem}`);
      const versions = Object.entries(proof.plan.packages).map(([name, version]) => `${name} ${version}`);
      rows.push([proof.name, versions.join(", "), proof.tried, problems.length === 0 ? "works" : "FAILED"]);
    }
  } finally {
    await browser.close();
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
console.log(`\n${makeTable(["site", "of", "tried", "result"], rows)}`);
process.exitCode = rows.every(([, , , result]) => result === "works") ? 0 : 1;

function plan(pages: Parameters<typeof planVitePress>[0]): readonly Proof[] {
  const inBar = `/${INDEX}/search.js?links=here&place=.VPNavBarSearch`;
  const inHeader = `/${INDEX}/search.js?links=here&place=header .right-group`;
  const box = (link: string, isInPlace: boolean): Pick<Proof, "visit" | "tried" | "index"> => ({
    index: INDEX,
    visit: (page, url) => visitSite(page, url, { ...FOUND, link, isInPlace }),
    tried: `box in the bar; pages are ${isInPlace ? "changed in place" : "loaded"}: search, hit, marks, link, search, back, search`,
  });
  const content = "src/content/docs";
  const sidebar = "nav.sidebar a";
  return [
    { name: "VitePress", plan: planVitePress(pages, inBar), pages: "docs", ...box(".VPSidebar a.link", true) },
    { name: "Starlight", plan: planStarlight(pages, { script: inHeader }), pages: content, ...box(sidebar, false) },
    {
      name: "Starlight with ClientRouter",
      plan: planStarlight(pages, { script: inHeader, hasRouter: true }),
      pages: content,
      ...box(sidebar, true),
    },
    {
      name: "Starlight's own search",
      plan: planStarlight(pages),
      index: PAGEFIND,
      visit: (page, url) => visitStarlightSearch(page, url, FOUND),
      tried:
        "its dialog unchanged on an index of the HTML in pagefind/: button, key, search, parts of a page, marks, link",
    },
  ];
}

/** Build one site and its index, and visit it. The result is what does not work. */
async function prove(browser: Browser, { name, plan, pages, index, visit }: Proof): Promise<Problems> {
  const folder = join(work, name.replace(/\W+/g, "-"));
  const dist = await buildSite(folder, plan);
  if (pages !== undefined) {
    const config = { collections: [{ name: "docs", root: ".", baseUrl: "https://site.example/" }] };
    await writeFile(join(folder, pages, "treeline.config.json"), JSON.stringify(config));
  }
  const indexed = pages === undefined ? dist : join(folder, pages);
  const cli = join(projectRoot, "indexer", "cli", "main.ts");
  const words = [cli, "build", indexed, "--out", join(dist, index), "--browser", "--no-cache", "--quiet"];
  await must(process.execPath, words, folder);
  const host = await serveSite(dist);
  const page = await browser.newPage();
  try {
    return await visit(page, host.url);
  } catch (error) {
    return [String(error)];
  } finally {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
    await page.close();
    await host.close();
  }
}
