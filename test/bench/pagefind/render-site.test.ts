import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { renderChanges, renderSite } from "../../../bench/pagefind/render-site.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const PAGE = '---\ntitle: "Routes & layouts"\n---\n\nA *page* about them.\n';

it("renders a page with the title of its frontmatter, and the same way after an edit", async () => {
  const folder = await makeFolder({ "pages/guide/routes.mdx": PAGE });
  renderSite(join(folder, "pages"), ["guide/routes.mdx"], join(folder, "site"));
  const html = await readFile(join(folder, "site", "guide/routes-mdx.html"), "utf8");
  expect(html).toContain("<title>Routes &amp; layouts</title>");
  expect(html).toContain("<h1>Routes &amp; layouts</h1>\n<p>A <em>page</em> about them.</p>");
  expect(html).not.toContain("title:");
  expect([
    ...renderChanges(
      new Map([
        ["guide/routes.mdx", PAGE],
        ["guide/gone.md", undefined],
      ]),
    ),
  ]).toEqual([
    ["guide/routes-mdx.html", html],
    ["guide/gone-md.html", undefined],
  ]);
});

it("adds no second title to a page that has one", () => {
  const [html] = [...renderChanges(new Map([["a.md", "---\ntitle: A\n---\n# Another\n"]])).values()];
  expect(html?.match(/<h1>/g)).toHaveLength(1);
  expect(html).toContain("<h1>Another</h1>");
});
