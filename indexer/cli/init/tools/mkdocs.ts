/**
 * MkDocs, with Material too. Anchors are those of Python-Markdown, unless the settings name another function for them:
 * the one that is used (pymdownx) keeps all letters, as GitHub does.
 */
import { type DocsTool, describeEndings } from "../docs-tool.ts";
import { folderAt, pick, readYamlSettings, type Settings } from "../read-settings.ts";
import { addressSettings, languageSetting } from "../site-address.ts";
import { findFile } from "./find-file.ts";

/** Rules for MkDocs. */
export const mkdocs: DocsTool = {
  find(project, folder) {
    const file = findFile(project, folder, ["mkdocs.yml", "mkdocs.yaml"]);
    if (file === undefined) return undefined;
    const settings = readYamlSettings(project, file);
    const theme = settings.theme === "material" || pick(settings, "theme", "name") === "material";
    return {
      tool: theme ? "Material for MkDocs" : "MkDocs",
      file,
      collections: [
        {
          name: "docs",
          root: folderAt(folder, settings.docs_dir, "docs"),
          ...addressSettings(settings.site_url),
          ...(!hasOwnSlugs(settings) && { anchors: "mkdocs" as const }),
          ...languageSetting(pick(settings, "theme", "language") ?? pick(settings, "theme", "locale")),
        },
      ],
      ...(settings.use_directory_urls === false && {
        notes: [describeEndings("MkDocs has `use_directory_urls: false`")],
      }),
      ...(folder !== "" && { folder }),
    };
  },
};

function hasOwnSlugs({ markdown_extensions: extensions }: Settings): boolean {
  const list: unknown[] = Array.isArray(extensions) ? extensions : [extensions];
  return list.some(
    (one) => pick(one, "toc", "slugify") !== undefined || pick(one, "markdown.extensions.toc", "slugify") !== undefined,
  );
}
