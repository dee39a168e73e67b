/**
 * Python: modules below source roots, relative levels, packages without `__init__`; outside is the name of the module on top,
 * `python:os` of the standard library or `pypi:requests` (the module's name, which is mostly but not always that of the
 * distribution).
 *
 * A source root is the folder above an outermost package, the folder of a manifest, `src` in it, and what the manifest
 * says. Long, because the rules and the table that names them are read side by side.
 */
import { isAsideFile } from "../../../src/core/code/source-paths.ts";
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import { firstParagraph } from "../base/comments.ts";
import type {
  CodeWorld,
  Entity,
  Family,
  FamilyModules,
  Language,
  Linking,
  PackageModule,
  ResolveImport,
} from "../base/language.ts";
import { type ManifestFacts, type ManifestSource, readTomlManifest } from "../base/manifests.ts";
import {
  type Chain,
  type Declarations,
  type Declare,
  type ImportDraft,
  type LanguageRules,
  type Names,
  type SymbolDraft,
  usesBy,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { baseName, folderOfPlace, foldersAround, joinPlace, NOTHING } from "../base/world.ts";

const PACKAGE_FILES = ["__init__.py", "__init__.pyi"];

const TYPED_PARAMETERS = new Set(["typed_parameter", "typed_default_parameter", "default_parameter"]);

/** Parameters of a function; the first of a method is the object itself. */
function declareParameters(file: Declarations, list: number, hasSelf: boolean): void {
  const { tree } = file;
  for (const [place, parameter] of tree
    .named(list)
    .filter((node) => tree.type(node) !== "comment")
    .entries()) {
    const nameNode = tree.type(parameter) === "identifier" ? parameter : tree.descendant(parameter, "identifier");
    if (nameNode === NONE) continue;
    if (hasSelf && place === 0) {
      file.claim(nameNode);
      file.addBinding(tree.textOf(nameNode), { kind: "self" });
    } else if (TYPED_PARAMETERS.has(tree.type(parameter))) {
      const isSplat = tree.child(parameter, "list_splat_pattern", "dictionary_splat_pattern") !== NONE;
      file.addLocal(nameNode, isSplat ? NONE : tree.field(parameter, "type"));
    } else {
      file.addLocal(nameNode);
    }
  }
}

function targetNames(tree: SyntaxTree, node: number): number[] {
  switch (tree.type(node)) {
    case "identifier":
      return [node];
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "list_splat_pattern":
    case "expression_list":
    case "tuple":
    case "list":
    case "parenthesized_expression":
    case "as_pattern_target":
      return tree.named(node).flatMap((child) => targetNames(tree, child));
    default:
      return [];
  }
}

/** `global x` and `nonlocal x`: an assignment below makes no local name of it. */
function declareGlobal(file: Declarations, node: number, tree: SyntaxTree): void {
  for (const name of tree.named(node)) {
    file.claim(name);
    if (tree.type(node) === "global_statement") file.addBinding(tree.textOf(name), { kind: "outer" }, file.holder);
  }
}

/** What a field of a node gives names to, as local names. */
function declareTargets(field: string): Declare {
  return (file, node, tree) => {
    for (const name of targetNames(tree, tree.field(node, field))) declareLocalOrSkip(file, name);
  };
}

/** A local name, unless the name stands for something else here: a symbol, one of the module. */
function declareLocalOrSkip(file: Declarations, name: number): void {
  const known = file.holder.names.get(file.tree.textOf(name));
  if (known === undefined || known.kind === "local") file.addLocal(name, NONE, NONE, file.scope.kind !== "block");
}

/** Names that a pattern of `match` captures: plain names, which are no dotted values and no classes. */
function declareCapture(file: Declarations, node: number, tree: SyntaxTree): void {
  const inner = tree.named(node);
  const name = tree.type(inner[0] ?? NONE) === "dotted_name" ? tree.named(inner[0] as number) : [];
  if (name.length === 1 && inner.length === 1) declareLocalOrSkip(file, name[0] as number);
}

const CONSTANT = /^_*[A-Z][A-Z0-9_]*$/;
const PROPERTY_DECORATOR =
  /^@(?:[\w.]+\.)?(?:property|cached_property|abstractproperty|setter|getter|deleter)\b|^@\w+\.(?:setter|getter|deleter)$/;

/** First paragraph of the string that a block begins with; `""` without one. */
function docstringOf(tree: SyntaxTree, block: number): string {
  const first = tree.named(block).find((node) => tree.type(node) !== "comment") ?? NONE;
  const inner = tree.type(first) === "expression_statement" ? (tree.named(first)[0] ?? NONE) : first;
  if (tree.type(inner) !== "string") return "";
  const text = tree.textOf(inner).replace(/^[a-zA-Z]*("""|'''|"|')/, "");
  return firstParagraph(text.replace(/("""|'''|"|')$/, ""));
}

function declareFunction(file: Declarations, node: number, tree: SyntaxTree): void {
  const outer = nodeAround(tree, node, "decorated_definition");
  const decorators = decoratorsOf(tree, outer);
  const name = tree.textOf(tree.field(node, "name"));
  const inType = file.holder.kind === "type";
  const isProperty = inType && decorators.some((text) => PROPERTY_DECORATOR.test(text));
  const flags = flagsAt(file, node, name);
  if (tree.type(node + 1) === '"async"') flags.push("async");
  if (decorators.some((text) => /^@(?:staticmethod|classmethod)\b/.test(text))) flags.push("static");
  if (decorators.some((text) => /^@(?:abc\.)?abstract/.test(text))) flags.push("abstract");
  if (decorators.some((text) => /^@(?:[\w.]+\.)?deprecated\b/.test(text))) flags.push("deprecated");
  if (/^test_?/.test(name) && !file.isInner) flags.push("test");
  const kind = !inType ? "function" : name === "__init__" ? "constructor" : isProperty ? "property" : "method";
  const body = tree.field(node, "body");
  const docText = docstringOf(tree, body);
  const draft = file.addSymbol({
    kind,
    node,
    outer,
    flags,
    body,
    typeNode: tree.field(node, "return_type"),
    ...(docText === "" ? {} : { docText }),
  });
  if (draft === undefined) return;
  const isStatic = decorators.some((text) => /^@staticmethod\b/.test(text));
  declareParameters(file, tree.field(node, "parameters"), inType && !isStatic);
}

function declareClass(file: Declarations, node: number, tree: SyntaxTree): void {
  const outer = nodeAround(tree, node, "decorated_definition");
  const bases = tree
    .named(tree.field(node, "superclasses"))
    .filter((base) => ["identifier", "attribute", "subscript", "call"].includes(tree.type(base)));
  const isEnum = bases.some((base) => /(?:^|\.)(?:Int|Str)?(?:Enum|Flag)$/.test(tree.textOf(base)));
  const name = tree.textOf(tree.field(node, "name"));
  const body = tree.field(node, "body");
  const docText = docstringOf(tree, body);
  const flags = flagsAt(file, node, name);
  if (/^Test/.test(name) || bases.some((base) => /TestCase$/.test(tree.textOf(base)))) flags.push("test");
  if (bases.some((base) => /^(?:abc\.)?ABC$/.test(tree.textOf(base)))) flags.push("abstract");
  file.addSymbol({
    kind: isEnum ? "enum" : "class",
    node,
    outer,
    flags,
    body,
    bases,
    ...(docText === "" ? {} : { docText }),
  });
}

/** Variables, constants and fields; inside of functions local names, and in constructors attributes. */
function declareAssignment(file: Declarations, node: number, tree: SyntaxTree): void {
  const left = tree.field(node, "left");
  const value = tree.field(node, "right");
  const typeNode = tree.field(node, "type");
  const single = tree.type(left) === "identifier";
  if (file.isInFunction) {
    for (const name of targetNames(tree, left)) {
      if (file.holder.names.get(tree.textOf(name))?.kind === "outer") continue;
      file.addLocal(name, single ? typeNode : NONE, single ? value : NONE, true);
    }
    declareAttribute(file, node, left, typeNode, value);
    return;
  }
  if (tree.textOf(left) === "__all__") return;
  for (const nameNode of targetNames(tree, left)) {
    const name = tree.textOf(nameNode);
    // Assigned again, it is no new symbol but a use that writes.
    if (file.holder.names.get(name)?.kind === "symbol") continue;
    const inType = file.holder.kind === "type";
    const isEnum = inType && file.holder.owner?.kind === "enum" && value !== NONE && !name.startsWith("_");
    file.addSymbol({
      kind: isEnum ? "enumMember" : CONSTANT.test(name) ? "constant" : inType ? "field" : "variable",
      node: nodeAround(tree, node, "expression_statement"),
      nameNode,
      name,
      typeNode: single ? typeNode : NONE,
      valueNode: single ? value : NONE,
    });
  }
}

/** `self.x = …` in `__init__` declares an attribute, unless the class has one of that name. */
function declareAttribute(file: Declarations, node: number, left: number, typeNode: number, value: number): void {
  const { tree } = file;
  const method = file.holder.owner;
  if (method?.kind !== "constructor" || method.parent === undefined) return;
  for (const target of tree.type(left) === "attribute" ? [left] : tree.named(left)) {
    if (tree.type(target) !== "attribute") continue;
    const object = tree.field(target, "object");
    if (tree.type(object) !== "identifier" || file.holder.names.get(tree.textOf(object))?.kind !== "self") continue;
    const nameNode = tree.field(target, "attribute");
    const name = tree.textOf(nameNode);
    const inside = file.scopes.get(method.parent.node);
    if (inside === undefined || inside.names.has(name)) continue;
    const draft = file.addSymbol({
      kind: "field",
      node: nodeAround(tree, node, "expression_statement"),
      nameNode,
      name,
      parent: method.parent,
      flags: name.startsWith("_") ? ["private"] : ["exported"],
      typeNode: target === left ? typeNode : NONE,
      valueNode: target === left ? value : NONE,
      isBound: false,
    });
    if (draft === undefined) continue;
    draft.flags.delete("inner");
    inside.names.set(name, { kind: "symbol", symbol: draft });
  }
}

/** What `__all__` lists is exported, and nothing else at the top of the file. */
function applyAll(file: Declarations, symbols: readonly SymbolDraft[]): void {
  const { tree } = file;
  const listed = new Set<string>();
  let isListed = false;
  for (const statement of tree.named(0)) {
    const text = tree.textOf(statement);
    if (!text.startsWith("__all__")) continue;
    isListed = true;
    for (const [, name] of text.matchAll(/["']([\w.]+)["']/g)) listed.add(name as string);
  }
  if (!isListed) return;
  for (const symbol of symbols) {
    if (symbol.parent !== undefined) continue;
    if (listed.has(symbol.name)) symbol.flags.add("exported");
    else symbol.flags.delete("exported");
  }
}

/** Whether a name is private or, outside of functions, exported: an underscore in front says so. */
function flagsAt(file: Declarations, _node: number, name: string): SymbolFlag[] {
  const isDunder = name.startsWith("__") && name.endsWith("__");
  if (name.startsWith("_") && !isDunder) return ["private"];
  return file.holder.kind === "function" ? [] : ["exported"];
}

/** The node around this one, where it is of a kind; else this one. */
function nodeAround(tree: SyntaxTree, node: number, kind: "decorated_definition" | "expression_statement"): number {
  const parent = tree.parent(node);
  return tree.type(parent) === kind ? parent : node;
}

function decoratorsOf(tree: SyntaxTree, outer: number): string[] {
  return tree
    .children(outer)
    .filter((node) => tree.type(node) === "decorator")
    .map((node) => tree.textOf(node));
}

/** `super()` is the object as its bases have it, a type in quotes the type, and dotted names may lead to modules. */
function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  const type = tree.type(node);
  if (type === "call") {
    const callee = tree.field(node, "function");
    if (tree.type(callee) === "identifier" && tree.textOf(callee) === "super") return names.selfChain("super");
    return undefined;
  }
  if (type === "string") {
    // A type that is not declared yet stands in quotes.
    const name = /^["']([A-Za-z_]\w*)["']$/.exec(tree.textOf(node))?.[1];
    return name !== undefined && tree.type(tree.parent(node)) === "type" ? names.resolve(name, depth) : undefined;
  }
  return type === "attribute" ? dottedChain(names, node, depth) : undefined;
}

const PYTHON_RULES: LanguageRules = {
  declare: {
    module: (file) => {
      file.fileDoc = docstringOf(file.tree, 0) || undefined;
    },
    function_definition: declareFunction,
    class_definition: declareClass,
    assignment: declareAssignment,
    type_alias_statement: (file, node, tree) => {
      const nameNode = tree.descendant(tree.field(node, "left"), "identifier");
      if (!file.isInFunction) {
        file.addSymbol({
          kind: "typeAlias",
          node,
          nameNode,
          valueNode: tree.field(node, "right"),
        });
      }
    },
    import_statement: declareImport,
    import_from_statement: declareImportFrom,
    future_import_statement: declareImportFrom,
    global_statement: declareGlobal,
    nonlocal_statement: declareGlobal,
    lambda: (file, node, tree) => {
      file.openScope(node, "block");
      for (const parameter of tree.named(tree.field(node, "parameters"))) {
        const nameNode = tree.type(parameter) === "identifier" ? parameter : tree.descendant(parameter, "identifier");
        file.addLocal(nameNode);
      }
    },
    for_statement: declareTargets("left"),
    for_in_clause: (file, node, tree) => {
      for (const name of targetNames(tree, tree.field(node, "left"))) file.addLocal(name);
    },
    named_expression: declareTargets("name"),
    as_pattern: (file, node, tree) => {
      const alias = tree.field(node, "alias");
      const names = alias === NONE ? tree.named(node).slice(-1) : [alias];
      for (const name of names.flatMap((it) => targetNames(tree, it))) declareLocalOrSkip(file, name);
    },
    case_pattern: declareCapture,
  },
  blocks: new Set(["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"]),
  names: new Set(["identifier"]),
  shapes: {
    attribute: { is: "member", object: "object", name: "attribute" },
    call: { is: "call", callee: "function" },
    parenthesized_expression: { is: "through", child: { place: "first" } },
    await: { is: "through", child: { place: "first" } },
    type: { is: "through", child: { place: "first" } },
    generic_type: { is: "through", child: { place: "first" } },
    dotted_name: { is: "through", child: { place: "last" } },
  },
  useKinds: usesBy({
    calls: "call.function",
    decorates: "decorator",
    writes: "assignment.left augmented_assignment.left",
    up:
      "pattern_list tuple_pattern generic_type subscript.value subscript member_type union_type " +
      "binary_operator argument_list dotted_name",
    type: "type class_pattern",
    extends: "class_definition.superclasses",
    reads: "call.arguments keyword_argument.value",
    none: "keyword_argument.name keyword_pattern",
  }),
  useKind: (uses, node) => {
    const { tree } = uses;
    const parent = tree.parent(node);
    // `@app.route("/")` decorates with what is called.
    if (tree.type(parent) === "call" && tree.type(tree.parent(parent)) === "decorator") return "decorates";
    // `cache[key] = value` reads the name; only the type of a subscript says more.
    if (tree.type(parent) === "subscript" && tree.type(tree.parent(parent)) === "assignment") return "reads";
    // `class Store(Base[Item])`: only what stands in front of the brackets is a base.
    if (tree.type(parent) === "subscript" && tree.field(parent, "value") !== node) {
      return tree.type(tree.parent(tree.parent(parent))) === "class_definition" ? "type" : "reads";
    }
    return undefined;
  },
  flagsAt,
  ignored: new Set(["super"]),
  comments: new Set(["comment"]),
  callsMakeObjects: true,
  isTypeOnly,
  chain,
  finish: applyAll,
};

function declareImport(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  for (const entry of tree.allIn(node, "name")) {
    const alias = tree.field(entry, "alias");
    const nameNode = tree.type(entry) === "aliased_import" ? tree.field(entry, "name") : entry;
    const specifier = tree.pathText(nameNode);
    const local = alias === NONE ? (specifier.split(".")[0] as string) : tree.textOf(alias);
    file.addImport({ specifier, imported: "*", local, node: nameNode });
  }
}

/** `from a import b as c`, also of `__future__`. */
function declareImportFrom(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const module = tree.field(node, "module_name");
  const specifier = tree.type(node) === "future_import_statement" ? "__future__" : tree.pathText(module);
  if (tree.child(node, "wildcard_import") !== NONE) {
    file.importAll(specifier, module);
    return;
  }
  for (const entry of tree.allIn(node, "name")) {
    const isAliased = tree.type(entry) === "aliased_import";
    const nameNode = isAliased ? tree.field(entry, "name") : entry;
    const localNode = isAliased ? tree.field(entry, "alias") : NONE;
    const bound = localNode === NONE ? nameNode : localNode;
    file.addImport({
      specifier,
      imported: tree.textOf(nameNode),
      local: tree.textOf(bound),
      node: nameNode,
      ...(localNode !== NONE && { localNode }),
    });
  }
}

/** Whether a node is in the block of `if TYPE_CHECKING:`. */
function isTypeOnly(tree: SyntaxTree, node: number): boolean {
  for (let at = node, around = tree.parent(at); around !== NONE; at = around, around = tree.parent(at)) {
    const isBlock = tree.type(around) === "if_statement" && tree.field(around, "consequence") === at;
    if (isBlock && /^(?:typing\.|t\.)?TYPE_CHECKING$/.test(tree.textOf(tree.field(around, "condition")))) return true;
  }
  return false;
}

/** `import a.b` binds `a`, and `a.b.c` leads to `c` of the module `a.b`. Undefined where no import has a dotted name. */
function dottedChain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  const path = dottedPath(tree, node);
  if (path === undefined) return undefined;
  const root = names.resolve(path[0] as string, depth).root;
  if (root.kind !== "import") return undefined;
  const binding = names.fileScope.names.get(path[0] as string);
  const imports = binding?.kind === "import" ? binding.imports : [names.imports[root.import] as ImportDraft];
  const dotted = imports.filter((it) => it.imported === "*" && it.specifier.startsWith(`${it.local}.`));
  if (dotted.length === 0) return undefined;
  const full = path.join(".");
  const best = imports
    .filter((it) => it.imported === "*" && (full === it.specifier || full.startsWith(`${it.specifier}.`)))
    .sort((a, b) => b.specifier.length - a.specifier.length)[0];
  if (best !== undefined) {
    return { root: { kind: "import", import: best.index }, members: path.slice(best.specifier.split(".").length) };
  }
  return { root: { kind: "free", name: path[0] as string }, members: path.slice(1) };
}

function dottedPath(tree: SyntaxTree, node: number): string[] | undefined {
  const path: string[] = [];
  let at = node;
  while (tree.type(at) === "attribute" && path.length < 16) {
    path.unshift(tree.textOf(tree.field(at, "attribute")));
    at = tree.field(at, "object");
  }
  return tree.type(at) === "identifier" ? [tree.textOf(at), ...path] : undefined;
}

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
  listModules,
  globals: [
    "isinstance issubclass staticmethod classmethod frozenset bytearray memoryview enumerate __init__ __main__ __name__ __file__",
    "__all__ __doc__ __dict__ __class__ __call__ __enter__ __exit__ __iter__ __next__ __repr__ __str__ NotImplemented StopIteration",
    "StopAsyncIteration GeneratorExit KeyboardInterrupt SystemExit BaseException",
  ],
};

/** Packages whose names have no underscore in front, with those around them: `flask.json`. */
function* listModules({ fileAt }: Pick<CodeWorld, "fileAt">): Generator<PackageModule> {
  const isPackage = (folder: string): boolean => PACKAGE_FILES.some((name) => fileAt.has(`${folder}/${name}`));
  for (const [place, file] of fileAt) {
    if (!PACKAGE_FILES.includes(baseName(place)) || isAsideFile(place)) continue;
    const names: string[] = [];
    let folder = folderOfPlace(place);
    for (; folder !== "" && isPackage(folder); folder = folderOfPlace(folder)) names.unshift(baseName(folder));
    if (names.length > 0 && !names.some((name) => name.startsWith("_"))) yield { name: names.join("."), file };
  }
}

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
