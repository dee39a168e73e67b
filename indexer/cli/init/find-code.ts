/**
 * Whether a project has source code beside its site, and what of it to leave out. Pure over a `ProjectFolder`.
 */
import { codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import type { DocsSite, PlannedCollection } from "./docs-tool.ts";
import { listWorkspaceFolders } from "./find-sites.ts";
import type { ProjectFolder } from "./project-folder.ts";
import { readJsonSettings } from "./read-settings.ts";

/** Manifests that say: this folder is a program or a library. */
const MANIFESTS: readonly (string | RegExp)[] = [
  "go.mod",
  "Cargo.toml",
  "pyproject.toml",
  "setup.py",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "build.sbt",
  "composer.json",
  "Package.swift",
  "CMakeLists.txt",
  /\.(?:sln|csproj|gemspec)$/,
];
/** Keys of a `package.json` that only a package has which others use, or one that holds others. */
const PACKAGE_KEYS = ["main", "module", "exports", "bin", "types", "workspaces"];
/** Folders of what was made, or of others, which are committed in some projects. */
const NOT_OWN = ["dist", "build", "out", "target", "coverage", "vendor", "third_party"];

/** Source code of a project. */
export interface FoundCode {
  /** The file that tells. */
  readonly file: string;
  readonly collection: PlannedCollection;
}

/** The source code of a project with these sites; undefined where it is only a site. */
export function findCode(project: ProjectFolder, sites: readonly DocsSite[]): FoundCode | undefined {
  const file = findManifest(project, sites);
  if (file === undefined) return undefined;
  const there = new Set(project.names(""));
  const exclude = [
    ...NOT_OWN.filter((name) => there.has(name)).map((name) => `${name}/**`),
    // The folder of a site holds its theme, not the project.
    ...new Set(sites.flatMap(({ folder }) => (folder === undefined ? [] : [`${folder}/**`]))),
    "**/*.min.js",
  ];
  return { file, collection: { name: "code", kind: "code", root: "", exclude } };
}

function findManifest(project: ProjectFolder, sites: readonly DocsSite[]): string | undefined {
  const names = project.names("");
  const manifest = names.find((name) =>
    MANIFESTS.some((one) => (typeof one === "string" ? one === name : one.test(name))),
  );
  if (manifest !== undefined) return manifest;
  // A `package.json` beside a site at the top may be that site's own.
  const isSite = sites.some(({ folder }) => folder === undefined);
  if (names.includes("package.json")) {
    const settings = readJsonSettings(project, "package.json");
    if (!isSite || PACKAGE_KEYS.some((key) => settings[key] !== undefined)) return "package.json";
  }
  if (listWorkspaceFolders(project).length > 0) return "pnpm-workspace.yaml";
  return isSite ? undefined : findSource(project, names);
}

/** A source file at the top or in one of the folders there. */
function findSource(project: ProjectFolder, names: readonly string[]): string | undefined {
  const own = names.find((name) => codeLanguageOf(name) !== undefined && !/\.config\.\w+$/.test(name));
  if (own !== undefined) return own;
  for (const folder of ["src", "lib", "cmd", "app", "packages"].filter((name) => names.includes(name))) {
    const inside = project.names(folder).find((name) => codeLanguageOf(name) !== undefined);
    if (inside !== undefined) return `${folder}/${inside}`;
  }
  return undefined;
}
