/**
 * What `treeline init` knows of a tool that makes sites: how to recognise one, and what of it to index.
 *
 * How to add one: a file in `tools/` that exports a `DocsTool`, and its line in `find-sites.ts`.
 */
import type { Language } from "../../../src/core/text/language.ts";
import type { AnchorStyle } from "../../config/config.ts";
import type { ProjectFolder } from "./project-folder.ts";

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

/** What is said where a site's pages are at `/a.html` and results lead to `/a`, which many hosts take for the same. */
export function describeEndings(because: string): string {
  return `${because}: its pages are at addresses with .html, and results lead to those without; look whether your host answers them.`;
}

/** Rules for one tool. */
export interface DocsTool {
  /** The site of this tool in a folder of the project, if there is one. */
  readonly find: (project: ProjectFolder, folder: string) => DocsSite | undefined;
}
