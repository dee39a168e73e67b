/**
 * VitePress: the folder that holds `.vitepress`, or `srcDir` below it. Anchors are its own, addresses the paths.
 */
import { type DocsTool, describeEndings } from "../docs-tool.ts";
import { below } from "../project-folder.ts";
import { readLiterals } from "../read-literals.ts";
import { folderAt, pick, textsOf } from "../read-settings.ts";
import { addressSettings, languageSetting } from "../site-address.ts";
import { findFile } from "./find-file.ts";

const CONFIG_NAMES = ["ts", "mts", "js", "mjs", "cts", "cjs"].map((ending) => `config.${ending}`);

/** Rules for VitePress. */
export const vitepress: DocsTool = {
  find(project, folder) {
    const own = below(folder, ".vitepress");
    const file =
      findFile(project, own, CONFIG_NAMES) ??
      (project.isFolder(`${own}/config`)
        ? findFile(
            project,
            `${own}/config`,
            CONFIG_NAMES.map((name) => name.replace("config", "index")),
          )
        : undefined);
    // A site needs no configuration: what dev or build leave behind tells as much.
    if (file === undefined && !project.isFolder(own)) return undefined;
    const { exported } = readLiterals(file === undefined ? "" : (project.read(file) ?? ""));
    const exclude = textsOf(exported.srcExclude);
    const notes = [
      ...(exported.rewrites === undefined
        ? []
        : ["`rewrites` of VitePress change addresses of pages; links to those pages miss."]),
      ...(exported.cleanUrls === true ? [] : [describeEndings("VitePress has no `cleanUrls: true`")]),
    ];
    return {
      tool: "VitePress",
      file: file ?? own,
      collections: [
        {
          name: "docs",
          root: folderAt(folder, exported.srcDir, ""),
          ...(exclude.length > 0 && { exclude }),
          ...addressSettings(
            pick(exported, "sitemap", "hostname"),
            baseBehind(pick(exported, "sitemap", "hostname"), exported.base),
          ),
          anchors: "vitepress",
          ...languageSetting(exported.lang),
        },
      ],
      notes,
      ...(folder !== "" && { folder }),
    };
  },
};

/** `base`, where the name of the host does not end in it already, as some write it. */
function baseBehind(host: unknown, base: unknown): string {
  const path = typeof base === "string" ? base.replace(/^\/+|\/+$/g, "") : "";
  const ends = typeof host === "string" && host.replace(/\/+$/, "").endsWith(`/${path}`);
  return ends ? "" : path;
}
