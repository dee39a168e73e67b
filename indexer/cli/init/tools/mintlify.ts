/** Mintlify: the folder of `docs.json`, or of `mint.json` as it was called before. */
import type { DocsTool } from "../docs-tool.ts";
import { below } from "../project-folder.ts";
import { readJsonSettings, textOf } from "../read-settings.ts";
import { addressSettings } from "../site-address.ts";
import { findFile } from "./find-file.ts";

/** Rules for Mintlify. */
export const mintlify: DocsTool = {
  find(project, folder) {
    const file = findFile(project, folder, ["docs.json", "mint.json"]);
    if (file === undefined) return undefined;
    const settings = readJsonSettings(project, file);
    const isNamed = /mintlify/.test(textOf(settings.$schema) ?? "") || file.endsWith("mint.json");
    if (!isNamed || settings.navigation === undefined) return undefined;
    const exclude = project.isFolder(below(folder, "snippets")) ? ["snippets/**"] : [];
    return {
      tool: "Mintlify",
      file,
      collections: [
        { name: "docs", root: folder, ...(exclude.length > 0 && { exclude }), ...addressSettings(settings.url) },
      ],
      ...(folder !== "" && { folder }),
    };
  },
};
