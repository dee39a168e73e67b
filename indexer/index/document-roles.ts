/**
 * Roles of documents that their paths do not tell, as patterns for the root: by the configuration, `.gitattributes`, a mark
 * in a source file that it is generated, and translations by the pages that they are of.
 *
 * A page that is generated is read like any other: it is what there is to know. So only source files are marked.
 */
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import { type Role, roleOfPath } from "../../src/core/docs/roles.ts";
import { compileGlobs } from "../base/globs.ts";
import type { TreelineConfig } from "../config/config.ts";
import type { RoleByAttributes } from "../sources/git.ts";
import type { DocumentCard } from "./prepared-document.ts";

/** Languages that pages are translated to, by the names that folders and files give them. */
const LOCALE =
  /^(?:ar|az|be|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fil|fr|he|hi|hr|hu|hy|id|it|ja|ka|kk|ko|lt|lv|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|ta|th|tr|uk|ur|uz|vi|zh)(?:[-_](?:[a-z]{2,4}|\d{3}))?$/i;
const ORIGINAL = /^en(?:[-_]|$)/i;
const ENDING = /\.[^./]+$/;
/** Share of the pages of a folder that must be those of another language. */
const LEAST_TRANSLATED = 0.5;
/** Patterns of a collection in the root, which every reader loads. */
const MAX_PATTERNS = 5000;

/** Roles by patterns: `code:gen/**` for all in a folder, else the id of a document. What paths tell is left out. */
export function describeRoles(
  { collections, roles }: Pick<TreelineConfig, "collections" | "roles">,
  documents: readonly Pick<DocumentCard, "collection" | "path" | "isSource" | "isGenerated">[],
  attributes: readonly RoleByAttributes[],
): Readonly<Record<string, Role>> {
  const configured = Object.entries(roles).map(([glob, role]) => ({ matches: compileGlobs([glob], []).selects, role }));
  const patterns = collections.flatMap(({ name }, index) => {
    const own = documents.filter(({ collection }) => collection === index);
    const translations = findTranslations(own.filter(({ isSource }) => !isSource).map(({ path }) => path));
    const known = own.map(({ path, isSource, isGenerated }) => {
      const attributed = attributes[index]?.(path);
      const role =
        configured.findLast(({ matches }) => matches(path))?.role ??
        (attributed === "generated" && !isSource ? undefined : attributed) ??
        (isGenerated === true ? "generated" : undefined) ??
        (translations.has(path) ? "translation" : undefined) ??
        roleOfPath(path);
      return { path, role };
    });
    const folded = foldRoles(known, "").slice(0, MAX_PATTERNS);
    return folded.map(([pattern, role]) => [makeDocumentId(name, pattern), role] as const);
  });
  return Object.fromEntries(patterns);
}

interface KnownRole {
  readonly path: string;
  readonly role: Role;
}

/** One pattern for a folder whose documents all have one role that their paths do not tell of all. */
function foldRoles(known: readonly KnownRole[], folder: string): (readonly [pattern: string, role: Role])[] {
  const unexpected = known.filter(({ path, role }) => roleOfPath(path) !== role);
  const [first] = unexpected;
  if (first === undefined) return [];
  if (known.length > 1 && known.every(({ role }) => role === first.role)) return [[`${folder}**`, first.role]];
  const inner = Map.groupBy(known, ({ path }) => path.slice(0, path.indexOf("/", folder.length) + 1));
  return [...inner].flatMap(([below, some]) =>
    below === ""
      ? some.filter((one) => unexpected.includes(one)).map(({ path, role }) => [path, role] as const)
      : foldRoles(some, below),
  );
}

/**
 * Pages that are others in another language: `docs/fr/a.md` beside `docs/a.md` or `docs/en/a.md`, `a.fr.md` beside `a.md`. With
 * most pages of a folder the rest of it is, too.
 */
function findTranslations(paths: readonly string[]): ReadonlySet<string> {
  const bare = (path: string): string => path.replace(ENDING, "");
  const all = new Set(paths.map(bare));
  const found = new Set<string>();
  const byFolder = new Map<string, { readonly paths: string[]; known: number }>();
  for (const path of paths) {
    const segments = bare(path).split("/");
    const file = /^(.+?)[._-]([A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?)$/.exec(segments.at(-1) as string);
    const [, stem = "", suffix = ""] = file ?? [];
    if (LOCALE.test(suffix) && !ORIGINAL.test(suffix)) {
      const original = [...segments.slice(0, -1), stem].join("/");
      if (all.has(original) || all.has(`${original}.en`)) found.add(path);
    }
    const at = segments.findIndex((segment, index) => index < segments.length - 1 && LOCALE.test(segment));
    if (at < 0 || ORIGINAL.test(segments[at] as string)) continue;
    const folder = segments.slice(0, at + 1).join("/");
    const group = byFolder.get(folder) ?? { paths: [], known: 0 };
    byFolder.set(folder, group);
    group.paths.push(path);
    const originals = [[], ["en"], ["en-US"], ["en-us"]].map((locale) =>
      segments.toSpliced(at, 1, ...locale).join("/"),
    );
    if (originals.some((original) => all.has(original))) group.known++;
  }
  for (const group of byFolder.values()) {
    if (group.known >= LEAST_TRANSLATED * group.paths.length) for (const path of group.paths) found.add(path);
  }
  return found;
}
