/**
 * Documents as a tree of folders, out of their ids. A folder's id is what its documents' ids begin with: `docs:` of a
 * collection, `docs:guide/` of a folder in it, `""` of all. Pure.
 */

/** A folder with what is directly in it. */
export interface Folder {
  readonly id: string;
  /** What its parent calls it; of several folders with nothing else between them, all their names. */
  readonly name: string;
  readonly folders: readonly Folder[];
  /** Places in the list of ids. */
  readonly files: readonly number[];
  /** Files in it and below. */
  readonly count: number;
}

interface GrowingFolder {
  readonly id: string;
  readonly name: string;
  readonly inner: Map<string, GrowingFolder>;
  readonly files: number[];
  count: number;
}

/** The tree of some ids; folders in the order in which their ids come. */
export function makeFolders(ids: readonly string[]): Folder {
  const root: GrowingFolder = { id: "", name: "", inner: new Map(), files: [], count: 0 };
  for (const [at, id] of ids.entries()) {
    let folder = root;
    folder.count++;
    for (const name of foldersOf(id)) {
      let inner = folder.inner.get(name);
      if (inner === undefined) {
        inner = { id: `${folder.id}${name}`, name, inner: new Map(), files: [], count: 0 };
        folder.inner.set(name, inner);
      }
      folder = inner;
      folder.count++;
    }
    folder.files.push(at);
  }
  return finish(root);
}

/** The folder with an id, with or without the slash at its end; undefined where there is none. */
export function findFolder(root: Folder, id: string): Folder | undefined {
  let folder: Folder | undefined = root;
  for (const name of foldersOf(id === "" || /[:/]$/.test(id) ? id : `${id}/`)) {
    const wanted: string = `${folder?.id}${name}`;
    folder = folder?.folders.find((inner) => inner.id === wanted);
  }
  return folder;
}

/** A folder without those above it that hold nothing but one other. */
export function enterFolder(folder: Folder): Folder {
  let at = folder;
  while (at.files.length === 0 && at.folders.length === 1) at = at.folders[0] as Folder;
  return at;
}

/** Ids of all folders below one. */
export function listFolders({ folders }: Folder): string[] {
  return folders.flatMap((inner) => [inner.id, ...listFolders(inner)]);
}

/** `docs:`, `guide/` of `docs:guide/install.md`. Of a name without a colon, nothing. */
function foldersOf(id: string): string[] {
  const colon = id.indexOf(":") + 1;
  const parts = id.slice(colon).split("/").slice(0, -1);
  return [...(colon > 0 ? [id.slice(0, colon)] : []), ...parts.map((part) => `${part}/`)];
}

function finish({ id, name, inner, files, count }: GrowingFolder): Folder {
  return { id, name, files, count, folders: [...inner.values()].map(finish) };
}
