/** Random edits of random pages, for fast-check: what a repository goes through between two builds. */
import fc from "fast-check";
import type { Pages } from "./build-index.ts";
import { anyPages } from "./small-corpora.ts";

/** One edit. Numbers choose among the pages that there are. */
export type Edit =
  | { readonly kind: "write"; readonly which: number; readonly text: string }
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly which: number }
  | { readonly kind: "rename"; readonly which: number; readonly path: string };

const anyText = anyPages.map((pages) => Object.values(pages)[0] ?? "# Empty\n");
const anyPath = fc
  .tuple(fc.constantFrom("a", "part-0/a", "part-2/guide", "zz", "part-1/b/c"), fc.nat({ max: 60 }))
  .map(([folder, number]) => `${folder}/page-${number}.md`);

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("write" as const), which: fc.nat(), text: anyText }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("add" as const), path: anyPath, text: anyText }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename" as const), which: fc.nat(), path: anyPath }) },
);

/** Edits between builds: some for each of a few builds. */
export const anyHistory: fc.Arbitrary<readonly (readonly Edit[])[]> = fc.array(
  fc.array(anyEdit, { minLength: 0, maxLength: 3 }),
  { minLength: 1, maxLength: 4 },
);

/** The pages after some edits; never none. */
export function applyEdits(pages: Pages, edits: readonly Edit[]): Pages {
  const now = new Map(Object.entries(pages));
  for (const edit of edits) {
    const paths = [...now.keys()].sort();
    const path = "which" in edit ? (paths[edit.which % paths.length] as string) : edit.path;
    const text = now.get(path) ?? "";
    switch (edit.kind) {
      case "write":
      case "add":
        now.set(path, edit.text);
        break;
      case "delete":
        if (now.size > 1) now.delete(path);
        break;
      case "rename":
        now.delete(path);
        now.set(edit.path, text);
        break;
    }
  }
  return Object.fromEntries(now);
}
