/** Hugo: its own documentation of the version in Debian, with its own theme. */
import { appendFile, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Site } from "../site.ts";

const HOOK = "layouts/partials/hooks/before-body-end.html";

/** The site. */
export const hugo: Site = {
  name: "hugo",
  about: "Hugo",
  pages: { debianSource: "hugo" },
  debian: ["hugo"],
  async write(source, folder, script) {
    await cp(join(source, "docs"), folder, { recursive: true });
    const hook = join(folder, HOOK);
    await mkdir(join(hook, ".."), { recursive: true });
    const before = await readFile(hook, "utf8").catch(() =>
      readFile(join(folder, "_vendor/github.com/gohugoio/gohugoioTheme", HOOK), "utf8").catch(() => ""),
    );
    await writeFile(hook, before);
    await appendFile(hook, `\n<script type="module" src="${script}"></script>\n`);
  },
  build: ["hugo", "--baseURL", "/", "--enableGitInfo=false"],
  // Pictures of authors would be fetched; nobody answers here at once.
  environment: { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
  // It takes no language that has blanks around it, as these pages have.
  pagefind: ["--force-language", "en"],
  output: "public",
  base: "/",
  visit: { start: "documentation/", query: "page bundles", page: "content-management/page-bundles/" },
};
