/**
 * Starlight, the docs of Astro, and Astro with other pages of Markdown. Anchors are GitHub's.
 */
import type { DocsTool } from "../docs-tool.ts";
import { below } from "../project-folder.ts";
import { asCall, readLiterals } from "../read-literals.ts";
import { dependenciesOf, folderAt, pick, readJsonSettings, textOf } from "../read-settings.ts";
import { addressSettings, languageSetting } from "../site-address.ts";
import { findFile } from "./find-file.ts";

const CONFIG_NAMES = ["mjs", "ts", "mts", "js", "cjs", "cts"].map((ending) => `astro.config.${ending}`);

/** Rules for Starlight and Astro. */
export const astro: DocsTool = {
  find(project, folder) {
    const file = findFile(project, folder, CONFIG_NAMES);
    if (file === undefined) return undefined;
    const { exported, calls } = readLiterals(project.read(file) ?? "");
    const source = folderAt(folder, exported.srcDir, "src");
    const address = addressSettings(exported.site, exported.base);
    const shared = { ...(folder !== "" && { folder }), file };
    const packages = dependenciesOf(readJsonSettings(project, below(folder, "package.json")));
    const integrations: unknown[] = Array.isArray(exported.integrations) ? exported.integrations : [];
    const options =
      integrations.map(asCall).find((call) => call?.called === "starlight")?.given[0] ?? calls.get("starlight");
    if (options === undefined && !packages.has("@astrojs/starlight")) {
      const root = [below(source, "content"), below(source, "pages")].find((path) => project.isFolder(path));
      return root === undefined ? undefined : { tool: "Astro", collections: [{ name: "docs", root }], file };
    }
    // The default locale is a code, or `root`, whose `lang` is the code.
    const locale = textOf(pick(options, "defaultLocale")) ?? "root";
    const code = textOf(pick(options, "locales", locale, "lang")) ?? locale;
    const root = below(source, "content/docs");
    return {
      tool: "Starlight",
      collections: [{ name: "docs", root, ...address, ...languageSetting(code) }],
      ...shared,
    };
  },
};
