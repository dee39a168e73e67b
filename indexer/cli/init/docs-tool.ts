/**
 * A tool that makes sites, as `treeline init` knows it: its rules, the collections that they give, and what rules share:
 * addresses, languages, files.
 */
import type { Language } from "../../../src/core/text/language.ts";
import type { AnchorStyle } from "../../config/config.ts";
import { below, type ProjectFolder, textOf } from "./project-files.ts";
import type { Settings } from "./read-literals.ts";

/** A collection to write, as far as it differs from the defaults. */
export interface PlannedCollection {
  /** Name that is wished for; one that is taken gets a number. */
  readonly name: string;
  readonly kind?: "code";
  /** Folder from the project's folder, `""` for that itself. */
  readonly root: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly weight?: number;
  /** Address that pages start with; `""` where the site says none. Undefined where paths do not tell addresses. */
  readonly baseUrl?: string;
  /** What stands between the site's host and paths, `docs/`, for who knows the host. */
  readonly behind?: string;
  readonly version?: string;
  readonly anchors?: AnchorStyle;
  readonly language?: Language;
}

/** A site that was found. */
export interface DocsSite {
  /** Name of the tool as people write it. */
  readonly tool: string;
  /** The file that tells. */
  readonly file: string;
  readonly collections: readonly PlannedCollection[];
  /** What its pages' addresses or parts need a person for, in sentences. */
  readonly notes?: readonly string[];
  /** Folder that holds nothing but the site; undefined where it shares its folder with the project. */
  readonly folder?: string;
}

/** Place that may hold a site. */
export interface SitePlace {
  readonly project: ProjectFolder;
  readonly folder: string;
  /** The first of the tool's files that is there; `""` where a tool is recognised without. */
  readonly file: string;
  /** Data of that file: what is exported, of one in JavaScript. */
  readonly settings: Settings;
}

/** What a tool says of its site, as far as it is not the same for all. */
type FoundSite = Omit<DocsSite, "tool" | "file"> & Partial<Pick<DocsSite, "tool" | "file">>;

/** Rules for one tool. */
export interface DocsTool {
  /** Name of the tool as people write it. */
  readonly tool: string;
  /** Paths of its configuration, the first that is there counts. */
  readonly files: readonly string[];
  /** Asks also where none of the files is there. */
  readonly needsNoFile?: true;
  readonly find: (place: SitePlace) => FoundSite | undefined;
}

/** Hosts that stand in templates, and those of one machine. */
const NO_SITE =
  /(^|\.)example(\.[a-z]+)?$|(^|\.)example\.(com|org|net)$|^localhost$|^127\.|^0\.0\.0\.0$|\.(local|test|invalid)$/;

/** Stands for a host that no setting tells. */
const UNKNOWN_SITE = "https://site.org";

const LANGUAGE_OF_CODE: Readonly<Record<string, Language>> = {
  ar: "arabic",
  hy: "armenian",
  eu: "basque",
  ca: "catalan",
  cs: "czech",
  da: "danish",
  nl: "dutch",
  fi: "finnish",
  fr: "french",
  de: "german",
  hu: "hungarian",
  ga: "irish",
  it: "italian",
  nb: "norwegian",
  nn: "norwegian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sl: "slovene",
  es: "spanish",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
};

/** Address of a site's pages: its own, with paths behind it. `""` where none is said, or only that of a template. */
export function siteAddress(site: unknown, ...paths: readonly unknown[]): string {
  const text = textOf(site);
  if (text === undefined || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return "";
  const url = new URL(text);
  if (NO_SITE.test(url.hostname) || url.username !== "" || url.password !== "") return "";
  const parts = [url.pathname, ...paths.map((path) => textOf(path) ?? "")].flatMap((path) => path.split("/"));
  const kept = parts.filter((part) => part !== "" && part !== ".");
  return `${url.origin}/${kept.map((part) => `${part}/`).join("")}`;
}

/** Settings for addresses of pages: what is known of them, and the path behind the host where only that is. */
export function addressSettings(
  site: unknown,
  ...paths: readonly unknown[]
): { readonly baseUrl: string; readonly behind: string } {
  const baseUrl = siteAddress(site, ...paths);
  const behind = siteAddress(UNKNOWN_SITE, textOf(site)?.startsWith("/") === true ? site : "", ...paths);
  return { baseUrl, behind: behind.slice(UNKNOWN_SITE.length + 1) };
}

/** Setting for a language by its code (`de`, `pt-BR`); nothing for English, and for languages without a stemmer. */
export function languageSetting(code: unknown): { readonly language?: Language } {
  const [, short = ""] = /^([a-z]{2})(?:[-_].*)?$/i.exec(textOf(code) ?? "") ?? [];
  const language = Object.hasOwn(LANGUAGE_OF_CODE, short.toLowerCase())
    ? LANGUAGE_OF_CODE[short.toLowerCase()]
    : undefined;
  return language === undefined ? {} : { language };
}

/** The first of some paths that is a file of a folder; undefined where none is. */
export function findFile(project: ProjectFolder, folder: string, paths: readonly string[]): string | undefined {
  return paths.map((path) => below(folder, path)).find((path) => isFile(project, path));
}

export function isFile(project: ProjectFolder, path: string): boolean {
  const cut = path.lastIndexOf("/");
  return project.names(path.slice(0, Math.max(cut, 0))).includes(path.slice(cut + 1)) && !project.isFolder(path);
}

/** The first of some folders that is there. */
export function findFolder(project: ProjectFolder, folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => below(folder, name)).find((path) => project.isFolder(path));
}

/** Names of a script. */
export function scripts(name: string, endings = ["ts", "mts", "js", "mjs", "cts", "cjs"]): string[] {
  return endings.map((ending) => `${name}.${ending}`);
}
