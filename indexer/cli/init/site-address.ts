/**
 * Addresses and languages as tools write them in their settings. Pure.
 */
import type { Language } from "../../../src/core/text/language.ts";
import { textOf } from "./read-settings.ts";

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
