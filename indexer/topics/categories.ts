/**
 * The categories of an access group: which there are, which documents are in which, and their counts.
 *
 * Four sources, in this order: `categories.json`, frontmatter, folders, packages of source files, or some of them. Names that are equal but for case
 * and separators are one category, and so is what an alias names. A folder is called by its last segment without an ordering
 * number, or by as much of its path as tells it from others. A collection is the folder at the top of its own. Of two claims to
 * a name the first holds; a parent that does not exist leaves its category at the top; a parent that would close a cycle is left
 * out. Each of these is a diagnostic.
 */
import { hashKey } from "../../src/core/bytes/checksum.ts";
import { keyOf } from "../../src/core/bytes/key.ts";
import { foldCategory } from "../../src/core/docs/categories.ts";
import type { CategorySource, TopicCounts } from "../../src/core/format/topics.ts";
import { compareNames } from "../../src/core/text/names.ts";
import { nearestNames, quoteValue } from "../../src/core/text/nearest.ts";
import { cutText } from "../../src/core/text/short-text.ts";
import { cleanText } from "../../src/surface/render/text.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { WrittenCategories, WrittenCategory } from "../config/topic-files.ts";

interface CategorizedDocument {
  readonly collection: string;
  readonly path: string;
  readonly description: string;
  /** What its frontmatter names. */
  readonly names: readonly string[];
  /** Of a source file: its package, as a path of the collection where it is a folder of it. */
  readonly package?: string;
}

interface CollectedCategory {
  /** Unique, and the same at each build as long as name and file do not change. */
  readonly id: string;
  name: string;
  readonly aliases: readonly string[];
  description: string;
  /** Undefined at the top. There are no cycles. */
  parent: CollectedCategory | undefined;
  related: readonly CollectedCategory[];
  /** All that have one of its name. */
  readonly sources: Set<CategorySource>;
}

interface CollectedCategories {
  /** In the order of their ids. */
  readonly categories: readonly CollectedCategory[];
  /** Of each document, each once. */
  readonly ofDocument: readonly (readonly CollectedCategory[])[];
  /** Paths are those of the file in which categories were written down. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A longer name is a sentence. Longer ones in frontmatter name nothing; folders are cut. */
const MAX_NAME_LENGTH = 100;
const MAX_ID_LENGTH = 160;
const MAX_NAMES = 50;
/** So many names out of frontmatter become categories: those of most documents. */
const MAX_FREE_CATEGORIES = 5_000;
/** `01-`, `2.` or `03_` in front of a name puts folders in order. */
const ORDER = /^\d{1,4}[-_. ]+(?=[^\d\s.])/;
const INDEX_PAGE = /^(?:index|readme)\.[a-z]+$/i;

export function collectCategories(
  { categories: written, file, from }: WrittenCategories,
  documents: readonly CategorizedDocument[],
): CollectedCategories {
  const registry = new Registry(file, from);
  const links = registry.addWritten(written);
  const named = registry.addNamed(documents);
  const folders = addFolders(registry, documents);
  const packages = new Map<CollectedCategory, CollectedCategory>();
  const ofDocument = documents.map((document, at) => {
    const own = new Set<CollectedCategory>(named[at]);
    const folder = folders.of(document);
    if (folder !== undefined) own.add(folder);
    const category = (document.package ?? "") === "" ? undefined : takePackage(registry, folders, document);
    if (category !== undefined) {
      const collection = folders.find(document.collection, "");
      if (collection !== undefined && !packages.has(category)) packages.set(category, collection);
      own.add(category);
    }
    return [...own];
  });
  registry.link(links);
  for (const [child, parent] of folders.parents) if (child.parent === undefined) putBelow(child, parent);
  // What a folder is called too has its place by now, be it the top of a collection.
  for (const [child, collection] of packages)
    if (child.parent === undefined && !folders.has(child)) putBelow(child, collection);
  return {
    categories: [...registry.all].sort((a, b) => compareNames(a.id, b.id)),
    ofDocument,
    diagnostics: registry.diagnostics,
  };
}

/** A name as it is shown: nothing invisible in it, spaces folded. */
function cleanName(name: string): string {
  return cleanText(name).text.replace(/\s+/g, " ").trim();
}

/** Puts a category below another one, unless that is below it already. @returns Whether it did. */
function putBelow(child: CollectedCategory, parent: CollectedCategory): boolean {
  for (let above: CollectedCategory | undefined = parent; above !== undefined; above = above.parent) {
    if (above === child) return false;
  }
  child.parent = parent;
  return true;
}

class Registry {
  readonly all = new Set<CollectedCategory>();
  readonly diagnostics: Diagnostic[] = [];
  readonly #file: string;
  readonly #from: ReadonlySet<CategorySource>;
  readonly #byName = new Map<string, CollectedCategory>();
  readonly #byAlias = new Map<string, CollectedCategory>();
  readonly #byId = new Map<string, CollectedCategory>();

  constructor(file: string, from: Iterable<CategorySource>) {
    this.#file = file;
    this.#from = new Set(from);
  }

  /** The category that a text names: by name, alias or id. */
  find(text: string): CollectedCategory | undefined {
    const folded = foldCategory(text);
    return this.#byName.get(folded) ?? this.#byAlias.get(folded) ?? this.#byId.get(folded);
  }

  /** The category of a name, made where there is none and the source counts. */
  take(name: string, source: CategorySource): CollectedCategory | undefined {
    const known = this.find(name);
    if (!this.#from.has(source)) return known;
    known?.sources.add(source);
    return known ?? this.#make(idOf(name), name, [], "", source);
  }

  #make(
    id: string,
    name: string,
    aliases: readonly string[],
    description: string,
    source: CategorySource,
  ): CollectedCategory {
    const sources = new Set([source]);
    const category = { id, name, aliases, description, parent: undefined, related: [], sources };
    this.all.add(category);
    this.#byName.set(foldCategory(name), category);
    this.#byId.set(foldCategory(id), category);
    return category;
  }

  /** Add what was written down; what each entry says of others, which may be made later. */
  addWritten(written: readonly WrittenCategory[]): (readonly [CollectedCategory, WrittenCategory])[] {
    const entries = written.map((entry): readonly [CollectedCategory, WrittenCategory, string[]] => {
      const name = cleanName(entry.name);
      const id = entry.id === undefined ? idOf(name) : cleanName(entry.id);
      const known = this.#byName.get(foldCategory(name)) ?? this.#byId.get(foldCategory(id));
      if (known === undefined) {
        const aliases: string[] = [];
        return [this.#make(id, name, aliases, cleanName(entry.description), "file"), entry, aliases];
      }
      this.#report(
        entry,
        "duplicate-category",
        `${quoteValue(name)} is there already as ${quoteValue(known.name)}; both are one category`,
      );
      known.description ||= cleanName(entry.description);
      return [known, entry, known.aliases as string[]];
    });
    for (const [category, entry, aliases] of entries) {
      // Another name of a second entry is an alias of what is one category with it.
      const others =
        foldCategory(entry.name) === foldCategory(category.name) ? entry.aliases : [entry.name, ...entry.aliases];
      for (const alias of others.map(cleanName)) {
        const folded = foldCategory(alias);
        const owner = this.#byName.get(folded) ?? this.#byAlias.get(folded);
        if (owner === category) continue;
        if (owner !== undefined) {
          const message = `the alias ${quoteValue(alias)} of ${quoteValue(category.name)} is taken by ${quoteValue(owner.name)}; it stays with that`;
          this.#report(entry, "shared-alias", message);
          continue;
        }
        this.#byAlias.set(folded, category);
        aliases.push(alias);
      }
    }
    return entries.map(([category, entry]) => [category, entry]);
  }

  /** Make categories of what frontmatter names; those of each document. */
  addNamed(documents: readonly CategorizedDocument[]): CollectedCategory[][] {
    const counts = new Map<string, number>();
    const names = documents.map((document) => {
      const own = new Map<string, string>();
      for (const text of document.names.slice(0, MAX_NAMES)) {
        const name = cleanName(text);
        const folded = foldCategory(name);
        if (folded !== "" && name.length <= MAX_NAME_LENGTH && !own.has(folded)) own.set(folded, name);
      }
      for (const folded of own.keys()) counts.set(folded, (counts.get(folded) ?? 0) + 1);
      return own;
    });
    const frequent = [...counts].sort(([a, one], [b, other]) => other - one || compareNames(a, b));
    const kept = new Set(frequent.slice(0, MAX_FREE_CATEGORIES).map(([folded]) => folded));
    return names.map((own) => [
      ...new Set(
        [...own].flatMap(
          ([folded, name]) => (kept.has(folded) ? this.take(name, "frontmatter") : this.find(name)) ?? [],
        ),
      ),
    ]);
  }

  /** Follow what entries say of others. */
  link(links: readonly (readonly [CollectedCategory, WrittenCategory])[]): void {
    for (const [category, entry] of links) {
      if (cleanName(entry.parent) === "") continue;
      const parent = this.find(cleanName(entry.parent));
      if (parent === undefined) {
        this.#report(
          entry,
          "missing-parent",
          `${quoteValue(category.name)} moves to the top level: ${this.#unknown(entry.parent)}`,
        );
      } else if (category.parent === undefined && !putBelow(category, parent)) {
        const reason =
          parent === category
            ? "a category cannot be its own parent"
            : `${quoteValue(parent.name)} is below it, which would form a cycle`;
        this.#report(entry, "category-cycle", `${quoteValue(category.name)} moves to the top level: ${reason}`);
      }
    }
    for (const [category, entry] of links) {
      const related = new Set(category.related);
      for (const text of entry.related.map(cleanName)) {
        const other = this.find(text);
        if (other === undefined)
          this.#report(
            entry,
            "missing-category",
            `${quoteValue(category.name)} names a related one: ${this.#unknown(text)}`,
          );
        else if (other !== category) related.add(other);
      }
      category.related = [...related];
    }
  }

  #unknown(text: string): string {
    const near = nearestNames(
      text,
      [...this.all].map(({ name }) => name),
      1,
    )[0];
    const hint = near === undefined ? "" : `; did you mean ${quoteValue(near)}?`;
    return `there is no category ${quoteValue(text)}${hint}`;
  }

  #report({ line }: WrittenCategory, code: string, message: string): void {
    this.diagnostics.push({ severity: "warning", code, message, path: this.#file, line });
  }
}

interface Folders {
  readonly of: (document: Pick<CategorizedDocument, "collection" | "path">) => CollectedCategory | undefined;
  /** The category of a folder of a collection; undefined where no document lies below it, or folders are none. */
  readonly find: (collection: string, folder: string) => CollectedCategory | undefined;
  /** Whether a category is a folder of any collection. */
  readonly has: (category: CollectedCategory) => boolean;
  /** Each folder with the one above, from the top down. */
  readonly parents: readonly (readonly [CollectedCategory, CollectedCategory])[];
}

function addFolders(registry: Registry, documents: readonly CategorizedDocument[]): Folders {
  const folders = new Map<string, readonly string[]>();
  for (const { collection, path } of documents) {
    const segments = [collection, ...path.split("/").slice(0, -1)];
    for (let length = segments.length; length > 0; length--) {
      const key = segments.slice(0, length).join("/");
      if (folders.has(key)) break;
      folders.set(key, segments.slice(0, length));
    }
  }
  const ordered = [...folders].sort(([a], [b]) => compareNames(a, b));
  const names = nameFolders(ordered.map(([, segments]) => segments));
  const categories = new Map<string, CollectedCategory>();
  for (const [at, [key, segments]] of ordered.entries()) {
    const last = cleanSegment(segments.at(-1) as string, segments.length === 1);
    const isWritten = registry.find(last)?.sources.has("file") === true;
    const category = registry.take(isWritten ? last : (names[at] as string), "folder");
    if (category !== undefined) categories.set(key, category);
  }
  for (const { collection, path, description } of documents) {
    const slash = path.lastIndexOf("/");
    if (description === "" || !INDEX_PAGE.test(path.slice(slash + 1))) continue;
    const category = categories.get([collection, ...path.split("/").slice(0, -1)].join("/"));
    if (category !== undefined) category.description ||= cleanName(description);
  }
  const find = (collection: string, folder: string): CollectedCategory | undefined =>
    categories.get(folder === "" ? collection : `${collection}/${folder}`);
  const all = new Set(categories.values());
  return {
    has: (category) => all.has(category),
    of: ({ collection, path }) => find(collection, path.split("/").slice(0, -1).join("/")),
    find,
    parents: ordered.flatMap(([key, { length }]) => {
      const parent = length === 1 ? undefined : categories.get(key.slice(0, key.lastIndexOf("/")));
      const child = categories.get(key);
      return parent === undefined || child === undefined || parent === child ? [] : [[child, parent] as const];
    }),
  };
}

/** A name for each folder: as many segments from its end as no other folder ends with. */
function nameFolders(folders: readonly (readonly string[])[]): string[] {
  const cleaned = folders.map((segments) => segments.map((segment, depth) => cleanSegment(segment, depth === 0)));
  const counts = new Map<string, number>();
  const endsOf = (segments: readonly string[]): string[] =>
    segments.map((_, at) => segments.slice(segments.length - at - 1).join("/"));
  for (const segments of cleaned) {
    for (const end of endsOf(segments)) counts.set(foldCategory(end), (counts.get(foldCategory(end)) ?? 0) + 1);
  }
  return cleaned.map((segments) => {
    const ends = endsOf(segments);
    return ends.find((end) => counts.get(foldCategory(end)) === 1) ?? (ends.at(-1) as string);
  });
}

/** A segment of a path as a name. That of a collection is a name already. */
function cleanSegment(segment: string, isCollection: boolean): string {
  const name = isCollection ? segment : segment.replace(ORDER, "").replace(/[-_\s]+/g, " ");
  const cleaned = cleanName(name);
  return foldCategory(cleaned) === "" ? cleanName(segment) || "folder" : cleaned;
}

/** A package is the folder that it is called by, or a category of its own. */
function takePackage(
  registry: Registry,
  folders: Folders,
  document: CategorizedDocument,
): CollectedCategory | undefined {
  const name = document.package as string;
  return registry.take(folders.find(document.collection, name)?.name ?? cleanName(name), "package");
}

/** An id made of a name. A long one ends in a hash of all of it. */
function idOf(name: string): string {
  const id = foldCategory(name);
  return id.length <= MAX_ID_LENGTH
    ? id
    : cutText(id, MAX_ID_LENGTH) + hashKey(keyOf(id)).toString(16).padStart(8, "0");
}

/** What is counted. Categories, documents and concepts by their indexes. */
interface CountedTopics {
  /** Of each category the one above, or -1. There are no cycles. */
  readonly parents: readonly number[];
  /** Of each document the categories that it is directly in, each once. */
  readonly memberships: readonly (readonly number[])[];
  readonly chunks: readonly number[];
  /** Of each document its concepts, each once. */
  readonly concepts: readonly (readonly number[])[];
}

interface CountedCategories {
  /** Of each category what is directly in it. */
  readonly own: readonly TopicCounts[];
  /** Of each category what is in it or a descendant. */
  readonly all: readonly TopicCounts[];
  readonly total: TopicCounts;
}

export function countTopics({ parents, memberships, chunks, concepts }: CountedTopics): CountedCategories {
  const countOf = (documents: readonly number[]): TopicCounts => ({
    documents: documents.length,
    chunks: documents.reduce((sum, at) => sum + (chunks[at] as number), 0),
    concepts: new Set(documents.flatMap((at) => concepts[at] as readonly number[])).size,
  });
  const count = (categories: readonly (readonly number[])[]): TopicCounts[] => {
    const members = parents.map((): number[] => []);
    for (const [document, list] of categories.entries()) for (const at of list) members[at]?.push(document);
    return members.map(countOf);
  };
  const placed = [...memberships.keys()].filter((at) => memberships[at]?.length !== 0);
  return {
    own: count(memberships),
    all: count(memberships.map((own) => closureOf(own, parents))),
    total: countOf(placed),
  };
}

/** Categories and all above them, each once. */
function closureOf(own: readonly number[], parents: readonly number[]): number[] {
  const found = new Set<number>();
  for (const category of own) {
    for (let at = category; at >= 0 && !found.has(at); at = parents[at] as number) found.add(at);
  }
  return [...found];
}
