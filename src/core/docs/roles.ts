/**
 * Roles of files: what somebody who looks for the product itself wants to see first, and what is only counted.
 *
 * A role follows from the path, by the customs of languages and of documentation sites; what a build knows better (by the
 * configuration, a manifest, a mark in the text) stands in the root as patterns of paths, the last that fits wins.
 */
import { isSampleFile, isTestFile } from "../code/source-paths.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { splitDocumentId } from "./node-id.ts";

/** All roles. `history` is what tells of older versions, `translation` a page of which the same exists in the main language. */
export const ROLES = ["production", "test", "example", "generated", "vendored", "history", "translation"] as const;
/** One of them. */
export type Role = (typeof ROLES)[number];

const VENDORED = /(?:^|\/)(?:node_modules|vendor|third[_-]?party|external|deps)\//i;
const GENERATED =
  /(?:^|\/)(?:__generated__|generated|gen)\/|[._](?:pb|g|gen|generated|designer)\.[a-z]+$|_pb2(?:_grpc)?\.pyi?$|\.min\.(?:js|css)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|cargo\.lock|poetry\.lock|uv\.lock|go\.sum)$/i;
const HISTORY =
  /(?:^|\/)(?:changelogs?|changes|history|release-?notes|releases?|news)(?:[-_.][^/]*)?\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:changelogs?|release-?notes)\//i;

/** The role that a path has by itself. */
export function roleOfPath(path: string): Role {
  if (VENDORED.test(path)) return "vendored";
  if (isTestFile(path)) return "test";
  if (GENERATED.test(path)) return "generated";
  if (HISTORY.test(path)) return "history";
  return isSampleFile(path) ? "example" : "production";
}

/** The role of a document, or of the document that a section or symbol is of, by its id. */
export function roleOf(_reader: IndexReader, id: string): Role {
  const at = id.indexOf("#");
  return roleOfPath(splitDocumentId(at < 0 ? id : id.slice(0, at)).path);
}
