/** Built HTML in six languages: the Debian Developer's Reference. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import type { Site } from "../site.ts";

const LANGUAGES = ["de", "fr", "it", "ja", "ru"];
const PLACE = "usr/share/developers-reference";

/** The site. */
export const developersReference: Site = {
  name: "developers-reference",
  about: "Sphinx, as built, six languages",
  pages: { debian: ["developers-reference", ...LANGUAGES.map((language) => `developers-reference-${language}`)] },
  lineInHtml: true,
  async write(source, folder) {
    const from = join(source, PLACE);
    // The whole book is also on a page of its own, which would be right for every query.
    const isPage = (path: string): boolean => !/\.(?:pdf|epub|gz)$|\/developers-reference\.html$/.test(path);
    for (const language of LANGUAGES)
      await cp(join(from, language), join(folder, "html", language), { recursive: true, filter: isPage });
    const others = LANGUAGES.map((language) => join(from, language));
    await cp(from, join(folder, "html", "en"), {
      recursive: true,
      filter: (path) => isPage(path) && !others.includes(path),
    });
    const links = ["en", ...LANGUAGES].map((language) => `<li><a href="${language}/index.html">${language}</a></li>`);
    await writeFiles(folder, {
      "html/index.html": `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Developer's Reference</title></head><body><ul>${links.join("")}</ul></body></html>\n`,
    });
  },
  output: "html",
  base: "/",
  visit: {
    start: "en/index.html",
    query: "orphaning a package",
    page: "en/pkgs.html",
    scopes: [
      { kind: "language", start: "de/index.html", query: "debian", within: /^\/de\// },
      { kind: "language", start: "fr/index.html", query: "paquet", within: /^\/fr\// },
    ],
  },
};
