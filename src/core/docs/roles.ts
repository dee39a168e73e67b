/**
 * Roles of files: what somebody who looks for the product itself wants to see first, and what is only counted.
 *
 * A role follows from the path, by the customs of languages and of documentation sites; what a build knows better (by the
 * configuration, `.gitattributes`, a mark in the text) stands in the root. Pages are read by people whatever they are about:
 * one of examples, or of tests, is no example and no test.
 */
import { isSampleFile, isTestFile } from "../code/source-paths.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import { pathOf } from "./node-id.ts";

/** All roles. `history` is what tells of older versions, `translation` a page of which the same exists in the main language. */
export const ROLES = ["production", "test", "example", "generated", "vendored", "history", "translation"] as const;
export type Role = (typeof ROLES)[number];

/** Folders of other people's code; two common names only at the top, as they are those of a product's own folders, too. */
const VENDORED = /(?:^|\/)(?:node_modules|bower_components|_?vendor(?:ed)?|third[_-]?party)\/|^(?:external|deps)\//i;
const GENERATED =
  /(?:^|\/)(?:__generated__|generated|dist)\/|^gen\/|(?:^|\/)zz_generated\.|[._](?:pb|g|gen|generated|designer)\.[a-z]+$|\.pb\.[a-z.]+$|_pb2?(?:_grpc)?\.[a-z]+$|[.-]min\.(?:[cm]?js|css)$/i;
/** Made-up files that tests read, pages as well as code. */
const FIXTURE = /(?:^|\/)(?:__(?:fixtures|snapshots)__|fixtures?|test[_-]?data)\//i;
/** What folders say of themselves, which is about tests where these are. */
const NOTES = /(?:^|\/)readme[^/]*$/i;
/** Where Gradle has tests beside those of `src/test`. */
const TEST = /(?:^|\/)src\/(?:\w+Test|testFixtures)\//;
/** Code of the pages: what they show, and what their site is made with. */
const OF_PAGES = /^(?:docs?|docs_src|website)\//i;
const HISTORY =
  /(?:^|\/)(?:changelogs?|changes|history|release-?notes|releases?|news)(?:[-_.][^/]*)?\.(?:md|mdx|markdown|rst|adoc|txt|html?)$|(?:^|\/)(?:changelogs?|release-?notes)\//i;
/** Where Docusaurus has the pages of other languages. */
const TRANSLATION = /(?:^|\/)i18n\/[a-z]{2}(?:-[A-Za-z]{2,4})?\/docusaurus-/;

/** The role that a path has by itself. */
export function roleOfPath(path: string): Role {
  if (VENDORED.test(path)) return "vendored";
  if (FIXTURE.test(path)) return "test";
  if (codeLanguageOf(path) === undefined && !(NOTES.test(path) && isTestFile(path)))
    return HISTORY.test(path) ? "history" : TRANSLATION.test(path) ? "translation" : "production";
  if (isTestFile(path) || TEST.test(path)) return "test";
  if (GENERATED.test(path)) return "generated";
  // What helps others to test is a product, too.
  if (isSampleFile(path.replace(/(^|\/)(?:testing|mock)\//g, "$1")) || OF_PAGES.test(path)) return "example";
  return "production";
}

/** The role of a document, or of the document that a section or symbol is of, by its id. */
export function roleOf({ index: { root } }: Pick<IndexReader, "index">, id: string): Role {
  const at = id.indexOf("#");
  return roleWith(root.roles, at < 0 ? id : id.slice(0, at));
}

/** The role of a document by its path and the patterns of the root. */
export function roleWith(roles: Readonly<Record<string, string>> | undefined, documentId: string): Role {
  return roleInRoot(roles, documentId) ?? roleOfPath(pathOf(documentId));
}

/** What the root says of a document or, the nearest first, of the folders around it. */
function roleInRoot(roles: Readonly<Record<string, string>> = {}, documentId: string): Role | undefined {
  const known = (pattern: string): Role | undefined =>
    Object.hasOwn(roles, pattern) ? ROLES.find((role) => role === roles[pattern]) : undefined;
  let found = known(documentId);
  const start = documentId.indexOf(":") + 1;
  for (let end = documentId.length; found === undefined && end > start; ) {
    end = Math.max(start, documentId.lastIndexOf("/", end - 2) + 1);
    found = known(`${documentId.slice(0, end)}**`);
  }
  return found;
}
