/** Sphinx with pages of Markdown (MyST). Pages of reStructuredText are not read. */
import type { DocsTool } from "../docs-tool.ts";
import { findFile } from "./find-file.ts";

/** Rules for Sphinx. */
export const sphinx: DocsTool = {
  find(project, folder) {
    const file = findFile(project, folder, ["conf.py"]);
    if (file === undefined || !/["'](?:myst_parser|myst_nb)["']/.test(project.read(file) ?? "")) return undefined;
    return {
      tool: "Sphinx with MyST",
      file,
      collections: [{ name: "docs", root: folder, exclude: ["_build/**"], baseUrl: "" }],
      notes: ["Anchors of headings are those of `myst_heading_anchors`; pages of reStructuredText are not read."],
      ...(folder !== "" && { folder }),
    };
  },
};
