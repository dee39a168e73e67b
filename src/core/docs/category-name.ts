/**
 * Names of categories as they are compared: case, spaces, hyphens and underscores do not count, so that the folder
 * `getting-started` and the tag `Getting Started` are one category. Build and query share it. Pure.
 */
import { foldSpelling } from "../text/normalize.ts";

/** What a name is compared by; `""` for one that says nothing. */
export function foldCategory(name: string): string {
  return foldSpelling(name)
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "");
}
