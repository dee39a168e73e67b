/** Jekyll, as GitHub Pages run it: all Markdown of the folder; posts apart, their paths do not tell their addresses. */
import type { DocsTool, PlannedCollection } from "../docs-tool.ts";
import { below } from "../project-folder.ts";
import { readYamlSettings } from "../read-settings.ts";
import { addressSettings, languageSetting } from "../site-address.ts";
import { findFile } from "./find-file.ts";

/** What Jekyll never makes pages of. */
const EXCLUDE = ["_*/**", "vendor/**"];

/** Rules for Jekyll. */
export const jekyll: DocsTool = {
  find(project, folder) {
    const file = findFile(project, folder, ["_config.yml", "_config.yaml"]);
    if (file === undefined) return undefined;
    const settings = readYamlSettings(project, file);
    // Jupyter Book has a file of the same name, and a table of contents that Jekyll has not.
    if (findFile(project, folder, ["_toc.yml"]) !== undefined) return undefined;
    const posts = below(folder, "_posts");
    const language = languageSetting(settings.lang);
    const pages: PlannedCollection = {
      name: "docs",
      root: folder,
      exclude: EXCLUDE,
      ...addressSettings(settings.url, settings.baseurl),
      ...language,
    };
    const blog: PlannedCollection = { name: "blog", root: posts, weight: 0.5, ...language };
    return {
      tool: "Jekyll",
      file,
      collections: project.isFolder(posts) ? [pages, blog] : [pages],
      ...(folder !== "" && { folder }),
    };
  },
};
