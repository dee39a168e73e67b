/**
 * Python: modules below source roots, relative levels, packages without `__init__`; outside is the name of the module on top,
 * `python:os` of the standard library or `pypi:requests` (the module's name, which is mostly but not always that of the
 * distribution).
 *
 * A source root is the folder above an outermost package, the folder of a manifest, `src` in it, and what the manifest
 * says.
 */
import type { Entity, Family, FamilyModules, Language, Linking, ResolveImport } from "../base/language.ts";
import { type ManifestFacts, type ManifestSource, readTomlManifest } from "../base/manifests.ts";
import { baseName, folderOfPlace, foldersAround, joinPlace, NOTHING } from "../base/world.ts";
import { PYTHON_RULES } from "./rules.ts";

const FAMILY: Family = {
  name: "python",
  hasDottedImports: true,
  packageFile: /^[^/]+\/__init__\.py$/,
  createModules,
  createNames: ({ bindings }) => ({ resolveFree: bindings.fromStars }),
};

export const PYTHON: Language = {
  trees: { python: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-python.wasm", rules: PYTHON_RULES } },
  family: FAMILY,
  manifests: [{ kind: "python", files: ["pyproject.toml", "setup.cfg", "setup.py"], read: readManifest }],
  constructors: ["__init__"],
  globals: [
    "isinstance issubclass staticmethod classmethod frozenset bytearray memoryview enumerate __init__ __main__ __name__ __file__",
    "__all__ __doc__ __dict__ __class__ __call__ __enter__ __exit__ __iter__ __next__ __repr__ __str__ NotImplemented StopIteration",
    "StopAsyncIteration GeneratorExit KeyboardInterrupt SystemExit BaseException",
  ],
};

/** Public modules of the standard library of Python 3.8 to 3.14. */
const STANDARD: ReadonlySet<string> = new Set(
  (
    "__future__ abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 " +
    "bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections " +
    "colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses " +
    "dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler " +
    "fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob " +
    "graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools " +
    "json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib " +
    "msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser " +
    "pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd " +
    "py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched " +
    "secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 " +
    "sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol symtable " +
    "sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token " +
    "tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid " +
    "venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo"
  ).split(" "),
);

function createModules({ world, manifests: { list } }: Linking): FamilyModules {
  const { fileAt, places, families } = world;
  const folders = new Set<string>();
  const roots = new Set<string>();
  const isPackage = (folder: string) => fileAt.has(`${folder}/__init__.py`) || fileAt.has(`${folder}/__init__.pyi`);
  /** Folder above the outermost package that a folder lies in. */
  const rootOf = (folder: string): string => {
    let at = folder;
    while (at !== "" && isPackage(at)) at = folderOfPlace(at);
    return at;
  };
  for (const [file, place] of places.entries()) {
    if (families[file] !== FAMILY) continue;
    for (const folder of foldersAround(folderOfPlace(place))) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
    const folder = folderOfPlace(place);
    if (isPackage(folder)) roots.add(rootOf(folder));
  }
  for (const { kind, folder, sourceRoots = [] } of list) {
    if (kind !== "python") continue;
    for (const root of ["", "src", ...sourceRoots]) roots.add(joinPlace(folder, root));
  }
  roots.add("");
  const sortedRoots = [...roots].sort();

  const moduleAt = (place: string): Entity => {
    for (const ending of [".py", "/__init__.py", ".pyi", "/__init__.pyi"]) {
      const file = fileAt.get(place + ending);
      if (file !== undefined) return world.fileEntity(file);
    }
    return folders.has(place) ? world.space(`python ${place}`) : NOTHING;
  };
  const submodule = (module: Entity, name: string): Entity => {
    const file = world.asFile(module);
    if (file >= 0) {
      const place = places[file] as string;
      return /^__init__\.pyi?$/.test(baseName(place)) ? moduleAt(joinPlace(folderOfPlace(place), name)) : NOTHING;
    }
    const outside = world.outside(module);
    if (outside?.kind !== "space" || !outside.key.startsWith("python ")) return NOTHING;
    return moduleAt(joinPlace(outside.key.slice("python ".length), name));
  };
  const walk = (root: string, parts: readonly string[]): Entity => {
    const whole = moduleAt(joinPlace(root, ...parts));
    // A folder of that name is no module of ours unless something in it is.
    return whole !== NOTHING && (parts.length > 1 || world.asFile(whole) >= 0 || root !== "") ? whole : NOTHING;
  };
  const resolve: ResolveImport = (file, specifier) => {
    const folder = folderOfPlace(places[file] as string);
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
    const parts = specifier
      .slice(dots)
      .split(".")
      .filter((part) => part !== "");
    if (dots > 0) {
      const up = new Array<string>(dots - 1).fill("..");
      const place = joinPlace(folder === "" ? "." : folder, ...up, ...parts);
      return place.startsWith("..") ? NOTHING : moduleAt(place);
    }
    const top = parts[0] ?? "";
    const own = rootOf(folder);
    for (const root of [own, ...sortedRoots]) {
      const found = walk(root, parts);
      if (found !== NOTHING && (world.asFile(found) >= 0 || !STANDARD.has(top))) return found;
    }
    if (STANDARD.has(top)) return world.external(`python:${top}`);
    // Inside a package of ours that lacks the module: nothing outside is meant.
    return [own, ...sortedRoots].some((root) => isPackage(joinPlace(root, top)))
      ? NOTHING
      : world.external(`pypi:${top}`);
  };
  return { resolve, submodule };
}

function readManifest(source: ManifestSource): ManifestFacts {
  if (!source.path.endsWith(".toml")) return readSetup(source);
  const values = readTomlManifest(source);
  const name = values.get("project.name") ?? values.get("tool.poetry.name");
  const sourceRoots = [
    ...(values.get("tool.setuptools.packages.find.where") ?? []),
    ...(/package-dir\s*=\s*\{\s*""\s*=\s*"([^"]+)"/.exec(source.text)?.slice(1, 2) ?? []),
  ];
  return { name: name?.[0] ?? "", sourceRoots };
}

function readSetup({ text }: ManifestSource): ManifestFacts {
  const name = /^\s*name\s*=\s*["']?([\w.-]+)["']?\s*,?\s*$/m.exec(text)?.[1] ?? "";
  const root = /package_dir\s*=\s*(?:\{\s*["']["']\s*:\s*["']([^"']+)|\s*=\s*(\S+))/.exec(text);
  return { name, sourceRoots: [root?.[1] ?? root?.[2]].filter((folder) => folder !== undefined) };
}
