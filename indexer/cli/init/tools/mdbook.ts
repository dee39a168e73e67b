/** mdBook: the folder of its chapters. Anchors are GitHub's; the host is in no setting. */
import { type DocsTool, describeEndings } from "../docs-tool.ts";
import { folderAt, readTomlSettings } from "../read-settings.ts";
import { addressSettings, languageSetting } from "../site-address.ts";
import { findFile } from "./find-file.ts";

/** Rules for mdBook. */
export const mdbook: DocsTool = {
  find(project, folder) {
    const file = findFile(project, folder, ["book.toml"]);
    if (file === undefined) return undefined;
    const settings = readTomlSettings(project, file);
    const root = folderAt(folder, settings["book.src"], "src");
    // The table of contents names every chapter and says nothing about any.
    const hasContents = findFile(project, root, ["SUMMARY.md"]) !== undefined;
    return {
      tool: "mdBook",
      file,
      collections: [
        {
          name: "docs",
          root,
          ...(hasContents && { exclude: ["SUMMARY.md"] }),
          ...addressSettings(settings["output.html.site-url"]),
          ...languageSetting(settings["book.language"]),
        },
      ],
      notes: [describeEndings("mdBook makes a file of each chapter")],
      ...(folder !== "" && { folder }),
    };
  },
};
