/**
 * A collection as the index root describes it.
 *
 * Pure types.
 */

import type { Language } from "../text/language.ts";

/** One collection of the corpus, as the index root describes it. */
export interface CollectionInfo {
  readonly name: string;
  readonly kind: "docs" | "code" | "site";
  /** Multiplies scores. */
  readonly weight: number;
  /** Start of page URLs, or `""` when the collection has none. */
  readonly baseUrl: string;
  /** Set where addresses of a built site's pages are plain: without `.html`. */
  readonly plain?: true | undefined;
  /** Version label, or `""`. */
  readonly version: string;
  /** `public`, or the name of an access group. */
  readonly access: string;
  /** Commit the files were read at, or `none`. */
  readonly commit: string;
  /** Web address of the repository, or `""`. */
  readonly repository: string;
  /** Folder of the repository that paths start from, with `/` and none at its ends, `""` for its top; absent where paths lead nowhere in it. */
  readonly folder?: string | undefined;
  /** Language that its words are analysed in; queries do the same. */
  readonly language: Language;
  readonly documents: number;
  readonly sections: number;
  readonly words: number;
}
