/**
 * Anchors and slug paths of headings.
 *
 * From a heading's slug (`src/core/text/slug.ts`) come two names: the anchor (unique in
 * the page: `x`, `x-1`, `x-2`) and the slug path (unique under each parent: `x`, `x~2`, `x~3`).
 * A slug never holds `#`, `%`, `/` or `~`, so paths need no escaping and suffixes cannot clash.
 *
 * Pure: text in, text out. No I/O, no clock.
 */
import { cutText } from "../../../src/core/text/cut-text.ts";

/** A longer slug is cut in slug paths: every descendant's id repeats it. No heading meant for people is this long. */
const MAX_PATH_SLUG_CHARS = 200;

const EMPTY_SLUG = "section";

/** Anchors given out so far in one document: from an anchor to the last suffix used for it. */
export type AnchorRegister = Map<string, number>;

/** Slug paths given out so far in one document: from parent and slug to how often they met. */
export type SlugPathRegister = Map<string, number>;

/** The anchor of the next heading with this slug, unique in the document, and notes it as used. */
export function claimAnchor(register: AnchorRegister, slug: string): string {
  const wanted = slug === "" ? EMPTY_SLUG : slug;
  let anchor = wanted;
  while (register.has(anchor)) {
    const suffix = (register.get(wanted) ?? 0) + 1;
    register.set(wanted, suffix);
    anchor = `${wanted}-${suffix}`;
  }
  register.set(anchor, 0);
  return anchor;
}

/**
 * The same as MkDocs numbers them, after `unique` of `markdown.extensions.toc`: `x`, `x_1`, `x_2`; a heading without a slug
 * is `_1`, and the repetition of a heading called `x_1` is `x_2`.
 */
export function claimMkDocsAnchor(register: AnchorRegister, slug: string): string {
  const [, named, number] = /^(.*)_(\d{1,9})$/.exec(slug) ?? [];
  const stem = named ?? slug;
  // What was tried before for the same slug is taken: many equal headings cost a step each.
  let last = register.get(slug) || Number(number ?? 0);
  let anchor = slug;
  while (anchor === "" || register.has(anchor)) {
    last++;
    anchor = `${stem}_${last}`;
  }
  if (anchor !== slug) register.set(slug, last);
  if (!register.has(anchor)) register.set(anchor, 0);
  return anchor;
}

/** Notes an anchor that the author wrote, so that no computed one repeats it. */
export function reserveAnchor(register: AnchorRegister, anchor: string): void {
  if (!register.has(anchor)) register.set(anchor, 0);
}

/** The slug path of the next heading with this slug under `parentPath`, unique in the document. */
export function claimSlugPath(register: SlugPathRegister, parentPath: string, slug: string): string {
  const name = slug === "" ? EMPTY_SLUG : cutText(slug, MAX_PATH_SLUG_CHARS);
  const path = parentPath === "" ? name : `${parentPath}/${name}`;
  const uses = (register.get(path) ?? 0) + 1;
  register.set(path, uses);
  return uses === 1 ? path : `${path}~${uses}`;
}
