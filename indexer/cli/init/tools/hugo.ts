/**
 * Hugo: the content folder. Anchors are GitHub's by default. A `config.toml` is Hugo's only beside such a folder.
 */
import type { DocsTool } from "../docs-tool.ts";
import { below } from "../project-folder.ts";
import { folderAt, readJsonSettings, readTomlSettings, readYamlSettings, type Settings } from "../read-settings.ts";
import { addressSettings, languageSetting } from "../site-address.ts";
import { findFile } from "./find-file.ts";

const NAMES = ["toml", "yaml", "yml", "json"].map((ending) => `hugo.${ending}`);
const OLD_NAMES = ["toml", "yaml", "yml", "json"].map((ending) => `config.${ending}`);

/** Rules for Hugo. */
export const hugo: DocsTool = {
  find(project, folder) {
    const spread = below(folder, "config/_default");
    const own = findFile(project, folder, NAMES) ?? findFile(project, spread, [...NAMES, ...OLD_NAMES]);
    const file = own ?? findFile(project, folder, OLD_NAMES);
    if (file === undefined) return undefined;
    const read = file.endsWith(".toml")
      ? readTomlSettings
      : file.endsWith(".json")
        ? readJsonSettings
        : readYamlSettings;
    // Hugo takes keys whatever their case.
    const settings: Settings = Object.fromEntries(
      Object.entries(read(project, file)).map(([key, value]) => [key.toLowerCase(), value]),
    );
    const root = folderAt(folder, settings.contentdir, "content");
    if (!project.isFolder(root)) return undefined;
    return {
      tool: "Hugo",
      file,
      collections: [
        {
          name: "docs",
          root,
          ...addressSettings(settings.baseurl),
          ...languageSetting(settings.defaultcontentlanguage ?? settings.languagecode),
        },
      ],
      notes: [
        "Pages of Hugo with `url`, `slug` or `permalinks`, and `_index.md`, have addresses that their paths do not tell.",
      ],
      ...(folder !== "" && { folder }),
    };
  },
};
