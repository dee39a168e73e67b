/**
 * Nextra, the docs of Next.js, and Next.js with pages of Markdown: the first of `content`, `pages` and `app` that is
 * there. Anchors are GitHub's. Addresses are in no setting but for the part behind the host.
 */
import type { DocsTool } from "../docs-tool.ts";
import { below } from "../project-folder.ts";
import { readLiterals } from "../read-literals.ts";
import { dependenciesOf, readJsonSettings } from "../read-settings.ts";
import { addressSettings } from "../site-address.ts";
import { findFile, findFolder } from "./find-file.ts";

const CONFIG_NAMES = ["js", "mjs", "ts", "cjs", "mts"].map((ending) => `next.config.${ending}`);
const WITH_PATHS = ["content", "src/content", "pages", "src/pages"];
const WITH_PAGE_FILES = ["app", "src/app"];

/** Rules for Nextra and Next.js. */
export const next: DocsTool = {
  find(project, folder) {
    const packages = dependenciesOf(readJsonSettings(project, below(folder, "package.json")));
    const config = findFile(project, folder, CONFIG_NAMES);
    const isNextra = packages.has("nextra");
    if (!isNextra && !packages.has("next") && config === undefined) return undefined;
    const file = config ?? below(folder, "package.json");
    const shared = { tool: isNextra ? "Nextra" : "Next.js", file, ...(isNextra && folder !== "" && { folder }) };
    const text = config === undefined ? "" : (project.read(config) ?? "");
    const { calls, exported } = readLiterals(text);
    const root = findFolder(project, folder, WITH_PATHS);
    if (root !== undefined) {
      const behind = addressSettings("", exported.basePath, calls.get("nextra")?.contentDirBasePath);
      return { ...shared, collections: [{ name: "docs", root, ...behind }] };
    }
    // The address of `app/guide/page.mdx` is /guide: its path does not tell.
    const app = findFolder(project, folder, WITH_PAGE_FILES);
    return app === undefined ? undefined : { ...shared, collections: [{ name: "docs", root: app }] };
  },
};
