/** `treeline build` of a folder of HTML, and `treeline search` on it, without a configuration. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildCommands } from "../../../../indexer/cli/commands/build.ts";
import { searchCommands } from "../../../../indexer/cli/commands/search.ts";
import { runCommands } from "../../../support/list-command.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const SKIP = '<a class="VPSkipLink" href="#VPContent">Skip to content</a><p>Appearance</p>';
const page = (lang: string, title: string, text: string): string =>
  `<html lang="${lang}"><title>${title} | Site</title><body>${SKIP}<nav><a href="/site/guide/jobs">Jobs</a><a href="/site/de/guide/jobs">Aufträge</a></nav>
<div class="VPDoc"><main><h1>${title}</h1><p>${text}</p></main></div></body></html>`;

it("says in a line how the site was read, and finds its pages where the site has them", async () => {
  const dir = await makeFolder({
    "guide/jobs.html": page("en", "Jobs", "Houses are built."),
    "guide/more.html": page("en", "More", "Nothing."),
    "de/guide/jobs.html": page("de", "Aufträge", "Häuser werden gebaut."),
  });
  const index = join(dir, "search-index");
  const built = await runCommands([buildCommands.build], ["build", dir, "--out", index, "--no-cache"]);
  expect([built.code, built.err]).toEqual([
    0,
    "info site:: addresses are written below /site/, without .html, as its pages have them; its pages name 2 languages, each a collection: site in english (2), site-de in german (1) [site-read]",
  ]);
  const found = async (query: string): Promise<unknown[]> => {
    const { out } = await runCommands(Object.values(searchCommands), ["search", query, "--index", index, "--json"]);
    return JSON.parse(out).hits.map(({ id, url }: Record<string, unknown>) => [id, url]);
  };
  expect(await found("haus")).toEqual([["site-de:de/guide/jobs.html", "/site/de/guide/jobs"]]);
  expect(await found("house")).toEqual([["site:guide/jobs.html", "/site/guide/jobs"]]);
  expect(await found("appearance")).toEqual([]);
});
