/**
 * Rust: paths begin with `crate`, `self`, `super`, the name of a workspace crate, or a module in scope; outside are
 * `rust:std` and its kin, or `cargo:` and the name of the crate.
 *
 * The tree of modules follows the files: `a/b.rs` or `a/b/mod.rs` is the module `b` in `a`. A `mod` with a body is a
 * symbol in its file.
 */
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import type { CodeWorld, Entity, Family, FamilyModules, Language, Linking } from "../base/language.ts";
import { readTomlManifest } from "../base/manifests.ts";
import {
  type Chain,
  claimsAll,
  type Declarations,
  type Declare,
  declares,
  each,
  type LanguageRules,
  localChild,
  type Names,
  opensFunction,
  THROUGH_FIRST,
  type UseRule,
  type Uses,
  usesBy,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { baseName, folderOfPlace, foldersAround, joinPlace, NOTHING } from "../base/world.ts";

/** Types that stand for what they hold: a member of the inside is reached through them. */
const POINTERS = new Set(["Box", "Rc", "Arc", "Pin", "RefMut", "MutexGuard"]);

function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const { tree } = file;
  const flags: SymbolFlag[] = [];
  const visibility = tree.textOf(tree.child(node, "visibility_modifier"));
  const holder = tree.type(file.holder.node);
  const isOfTrait =
    holder === "trait_item" || (holder === "impl_item" && tree.field(file.holder.node, "trait") !== NONE);
  if (visibility === "pub" || isOfTrait || holder === "enum_item") flags.push("exported");
  for (let at = tree.previous(node); tree.type(at) === "attribute_item"; at = tree.previous(at)) {
    const text = tree.textOf(at);
    if (/^#\[deprecated\b/.test(text)) flags.push("deprecated");
    if (/^#\[(?:\w+::)?test\b/.test(text)) flags.push("test");
  }
  return flags;
}

function declareValue(kind: "constant" | "variable"): Declare {
  return (file, node, tree) => {
    if (file.isInFunction) file.addLocal(tree.field(node, "name"), tree.field(node, "type"));
    else file.addSymbol({ kind, node });
  };
}

function typeName(tree: SyntaxTree, node: number): number {
  const type = tree.type(node);
  if (type === "type_identifier" || type === "primitive_type") return node;
  if (type === "scoped_type_identifier") return tree.field(node, "name");
  if (type === "generic_type" || type === "reference_type") return typeName(tree, tree.field(node, "type"));
  return tree.descendant(node, "type_identifier", "primitive_type");
}

function declareFunction(file: Declarations, node: number, tree: SyntaxTree): void {
  const isMember = file.holder.kind === "type" && /^(?:impl_item|trait_item)$/.test(tree.type(file.holder.node));
  const flags = flagsAt(file, node);
  const modifiers = tree.textOf(tree.child(node, "function_modifiers"));
  if (/\basync\b/.test(modifiers)) flags.push("async");
  if (isMember && tree.child(tree.field(node, "parameters"), "self_parameter") === NONE) flags.push("static");
  if (tree.type(node) === "function_signature_item" && isMember) flags.push("abstract");
  file.addSymbol({
    kind: isMember ? "method" : "function",
    node,
    flags,
    typeNode: tree.field(node, "return_type"),
  });
}

function declareTrait(file: Declarations, node: number, tree: SyntaxTree): void {
  const bases = tree
    .named(tree.field(node, "bounds"))
    .filter((it) => /^(?:type_identifier|scoped_type_identifier|generic_type)$/.test(tree.type(it)));
  file.addSymbol({ kind: "trait", node, bases });
}

/** Names that a pattern binds: those in lower case that are no paths. */
function declarePattern(file: Declarations, pattern: number, typeNode = NONE, valueNode = NONE): void {
  const { tree } = file;
  if (pattern === NONE) return;
  for (let node = pattern; node < tree.after(pattern); ) {
    const type = tree.type(node);
    if (/^(?:scoped_identifier|scoped_type_identifier|generic_type|call_expression|binary_expression)$/.test(type)) {
      node = tree.after(node);
      continue;
    }
    if (node !== pattern && tree.field(tree.parent(node), "condition") === node) break;
    const isName = type === "identifier" || type === "shorthand_field_identifier";
    if (isName && tree.field(tree.parent(node), "type") !== node && !/^\p{Lu}/u.test(tree.textOf(node))) {
      file.addLocal(node, node === pattern ? typeNode : NONE, node === pattern ? valueNode : NONE);
    }
    node++;
  }
}

function declareUse(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const kind = tree.child(node, "visibility_modifier") === NONE ? "imports" : "reexports";
  const join = (prefix: string, path: string): string =>
    prefix === "" ? path : path === "" ? prefix : `${prefix}::${path}`;
  const add = (full: string, at: number, local?: string): void =>
    file.importLast(full, "::", { kind, node: at, local });
  const read = (part: number, prefix: string): void => {
    const text = tree.pathText(part);
    const path = tree.pathText(tree.field(part, "path"));
    switch (tree.type(part)) {
      case "scoped_use_list":
        for (const inside of tree.named(tree.field(part, "list"))) read(inside, join(prefix, path));
        break;
      case "use_list":
        for (const inside of tree.named(part)) read(inside, prefix);
        break;
      case "use_wildcard": {
        const specifier = join(prefix, text.replace(/(?:::)?\*$/, ""));
        file.addImport({ kind, specifier, imported: "*", local: "*", node: part });
        break;
      }
      case "use_as_clause": {
        const alias = tree.field(part, "alias");
        const local = tree.textOf(alias);
        add(join(prefix, path.replace(/(?:::)?self$/, "")), alias, local === "_" ? "" : local);
        break;
      }
      case "self":
        add(prefix, part);
        break;
      case "identifier":
      case "scoped_identifier": {
        const nameNode = tree.field(part, "name");
        add(join(prefix, text), nameNode === NONE ? part : nameNode);
        break;
      }
      default:
    }
  };
  read(tree.field(node, "argument"), "");
}

function declareModule(file: Declarations, node: number, tree: SyntaxTree): void {
  const nameNode = tree.field(node, "name");
  const name = tree.textOf(nameNode);
  const isElsewhere = tree.field(node, "body") === NONE;
  // `mod a;` brings in another file.
  if (isElsewhere) file.addImport({ specifier: "self", imported: name, local: name, node: nameNode });
  file.addSymbol({ kind: "module", node, isBound: !isElsewhere });
}

function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  const type = tree.type(node);
  if (type === "crate" || type === "super") return { root: { kind: "free", name: type }, members: [] };
  if (type === "self" && tree.type(tree.parent(node)) === "scoped_identifier")
    return { root: { kind: "free", name: "self" }, members: [] };
  if (type === "identifier" || type === "type_identifier") {
    if (tree.textOf(node) !== "Self") return undefined;
    const self = names.selfChain("self");
    if (self.root.kind === "self") return { root: { kind: "symbol", symbol: self.root.symbol }, members: [] };
    return self.root.kind === "value" ? self.root.type : self;
  }
  if (type === "generic_type" && POINTERS.has(tree.textOf(tree.field(node, "type")))) {
    return names.chainOf(tree.named(tree.field(node, "type_arguments"))[0] ?? NONE, depth + 1);
  }
  return undefined;
}

function useKind(uses: Uses, node: number): UseRule | undefined {
  const { tree } = uses;
  const parent = tree.parent(node);
  const type = tree.type(parent);
  if (tree.textOf(node) === "Self") return "none";
  if (type === "token_tree") {
    // Inside a macro's arguments there are no expressions, only tokens.
    const { text } = tree;
    if (/[.$]/.test(text[tree.start(node) - 1] ?? "")) return "none";
    const { root } = uses.resolve(tree.textOf(node));
    if (root.kind === "free") return "none";
    return /^(?:::<[^>]*>)?\(/.test(text.slice(tree.end(node), tree.end(node) + 40)) ? "calls" : "reads";
  }
  if (type === "field_initializer" && tree.field(parent, "field") === node) {
    const made = uses.typeReference(tree.field(tree.parent(tree.parent(parent)), "name"));
    const self = made ?? structOf(uses, parent);
    if (self !== undefined)
      uses.add("writes", node, { root: { kind: "value", type: self }, members: [tree.textOf(node)] });
    return "none";
  }
  if (type === "field_pattern" && tree.field(parent, "name") === node) return "none";
  if (type === "trait_bounds") return tree.type(tree.parent(parent)) === "trait_item" ? "extends" : "type";
  return undefined;
}

function structOf(names: Names, initializer: number) {
  const { tree } = names;
  const name = tree.field(tree.parent(tree.parent(initializer)), "name");
  const found = names.chainOf(name);
  return found.root.kind === "symbol" ? { root: found.root, members: found.members } : undefined;
}

const RUST_RULES: LanguageRules = {
  declare: {
    mod_item: declareModule,
    use_declaration: declareUse,
    extern_crate_declaration: (file, node, tree) => {
      file.claimAll(node);
      const name = tree.textOf(tree.field(node, "name"));
      const alias = tree.field(node, "alias");
      file.addImport({
        specifier: name,
        imported: "*",
        local: alias === NONE ? name : tree.textOf(alias),
        node: tree.field(node, "name"),
      });
    },
    struct_item: declares("struct"),
    union_item: declares("union"),
    enum_item: declares("enum"),
    enum_variant: (file, node, tree) => {
      file.addSymbol({ kind: "enumMember", node, flags: ["exported"] });
      if (tree.field(node, "body") !== NONE) file.openScope(node, "block");
    },
    field_declaration: (file, node, tree) => {
      // Fields of an enum's variant are no members of the enum.
      if (tree.type(tree.parent(tree.parent(node))) === "enum_variant") file.claim(tree.field(node, "name"));
      else file.addSymbol({ kind: "field", node });
    },
    type_item: declares("typeAlias"),
    associated_type: declares("typeAlias"),
    const_item: declareValue("constant"),
    static_item: declareValue("variable"),
    trait_item: declareTrait,
    impl_item: (file, node, tree) => {
      file.openScope(node, "type", undefined, typeName(tree, tree.field(node, "type")));
    },
    function_item: declareFunction,
    function_signature_item: declareFunction,
    macro_definition: (file, node, tree) => {
      file.claimAll(node);
      file.addSymbol({ kind: "macro", node, body: tree.child(node, "macro_rule") });
    },
    ...each("attribute_item inner_attribute_item lifetime label", claimsAll),
    closure_expression: (file, node, tree) => {
      file.openScope(node, "function");
      for (const parameter of tree.named(tree.field(node, "parameters"))) {
        if (tree.type(parameter) !== "parameter") declarePattern(file, parameter);
      }
    },
    const_block: opensFunction,
    parameter: (file, node, tree) => {
      if (file.isInFunction) declarePattern(file, tree.field(node, "pattern"), tree.field(node, "type"));
      else file.claimAll(tree.field(node, "pattern"));
    },
    let_declaration: (file, node, tree) => {
      declarePattern(file, tree.field(node, "pattern"), tree.field(node, "type"), tree.field(node, "value"));
    },
    let_condition: (file, node, tree) => declarePattern(file, tree.field(node, "pattern")),
    for_expression: (file, node, tree) => declarePattern(file, tree.field(node, "pattern")),
    match_arm: (file, node, tree) => declarePattern(file, tree.field(node, "pattern")),
    type_parameter: localChild("type_identifier"),
    const_parameter: localChild("identifier"),
  },
  blocks: new Set(["block", "match_arm", "if_expression", "for_expression", "while_expression"]),
  names: new Set(["identifier", "field_identifier"]),
  typeNames: new Set(["type_identifier"]),
  namesApart: "types",
  shapes: {
    field_expression: { is: "member", object: "value", name: "field" },
    scoped_identifier: { is: "member", object: "path", name: "name", isPath: true },
    scoped_type_identifier: { is: "member", object: "path", name: "name", isPath: true },
    call_expression: { is: "call", callee: "function" },
    struct_expression: { is: "creation", type: "name" },
    generic_type: { is: "through", child: "type" },
    generic_function: { is: "through", child: "function" },
    reference_type: { is: "through", child: "type" },
    reference_expression: { is: "through", child: "value" },
    dynamic_type: { is: "through", child: "trait" },
    type_cast_expression: { is: "creation", type: "type" },
    ...each("try_expression await_expression parenthesized_expression unary_expression", THROUGH_FIRST),
    self: { is: "self" },
  },
  useKinds: usesBy({
    calls: "call_expression.function macro_invocation.macro",
    up: "generic_function.function generic_type.type",
    instantiates: "struct_expression.name",
    implements: "impl_item.trait",
    writes: "assignment_expression.left compound_assignment_expr.left",
  }),
  comments: new Set(["line_comment", "block_comment"]),
  attributes: new Set(["attribute_item"]),
  flagsAt,
  ignored: new Set(["Some", "None", "Ok", "Err", "_"]),
  hasExtensions: true,
  chain,
  useKind,
  finish: (file) => {
    // What a type implements stands in blocks of their own.
    const { tree } = file;
    for (const scope of file.scopes.values()) {
      if (tree.type(scope.node) !== "impl_item") continue;
      const base = tree.field(scope.node, "trait");
      const name = tree.textOf(scope.ofType);
      const type =
        base === NONE ? undefined : file.symbols.find((symbol) => symbol.name === name && symbol.memberOf === "");
      type?.bases.push(base);
    }
  },
};

const FAMILY: Family = {
  name: "rust",
  hasOnlyTypesAsBases: true,
  createModules,
  createNames: ({ bindings }) => ({
    resolveFree: (file, name, wantType) => bindings.walkPath(file, -1, [name], wantType),
  }),
};

export const RUST: Language = {
  trees: { rust: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-rust.wasm", rules: RUST_RULES } },
  family: FAMILY,
  manifests: [
    {
      kind: "cargo",
      files: ["Cargo.toml"],
      read: (source) => ({ name: readTomlManifest(source).get("package.name")?.[0] ?? "" }),
    },
  ],
  listModules: ({ fileAt }, { list }) =>
    list.flatMap(({ kind, name, folder }) => {
      const file = fileAt.get(joinPlace(folder, "src/lib.rs"));
      return kind === "cargo" && name !== "" && file !== undefined ? [{ name, file }] : [];
    }),
};

const STANDARD: ReadonlySet<string> = new Set(["std", "core", "alloc", "proc_macro", "test"]);
const KEYWORDS: ReadonlySet<string> = new Set(["crate", "self", "super"]);
const ROOTS: ReadonlySet<string> = new Set(["lib.rs", "main.rs", "mod.rs"]);

function createModules({ world, manifests: { list } }: Linking): FamilyModules {
  const { fileAt, places } = world;
  const crates = list.filter(({ kind, name }) => kind === "cargo" && name !== "");
  const byName = new Map<string, string>();
  for (const { name, folder } of crates) {
    const imported = name.replaceAll("-", "_");
    if (!byName.has(imported)) byName.set(imported, folder);
  }
  const crateFolders = new Set(crates.map(({ folder }) => folder));
  const asEntity = (file: number | undefined): Entity => (file === undefined ? NOTHING : world.fileEntity(file));
  const fileOf = (...candidates: readonly string[]): Entity =>
    asEntity(candidates.map((place) => fileAt.get(place)).find((file) => file !== undefined));
  const rootOf = (file: number): Entity => {
    const place = places[file] as string;
    for (const folder of foldersAround(folderOfPlace(place))) {
      // Programs in `src/bin`, tests and examples are crates of their own, each with its file as the root.
      if (/(?:^|\/)(?:tests|examples|benches|src\/bin)$/.test(folder)) {
        return fileOf(
          `${folder}/${place
            .slice(folder.length + 1)
            .split("/")[0]
            ?.replace(/(?:\.rs)?$/, ".rs")}`,
        );
      }
      const isRoot = crateFolders.has(folder) || baseName(folder) === "src";
      if (!isRoot) continue;
      const inner = baseName(folder) === "src" ? folder : joinPlace(folder, "src");
      const found = fileOf(joinPlace(inner, "lib.rs"), joinPlace(inner, "main.rs"));
      if (found !== NOTHING) return place === joinPlace(inner, "main.rs") ? world.fileEntity(file) : found;
    }
    return world.fileEntity(file);
  };
  /** Folder that holds the modules inside of a file's module. */
  const insideOf = (place: string): string =>
    ROOTS.has(baseName(place)) ? folderOfPlace(place) : place.replace(/\.rs$/, "");
  const parentOf = (file: number): Entity => {
    const place = places[file] as string;
    if (rootOf(file) === world.fileEntity(file)) return NOTHING;
    const folder = baseName(place) === "mod.rs" ? folderOfPlace(folderOfPlace(place)) : folderOfPlace(place);
    return fileOf(
      joinPlace(folder, "mod.rs"),
      `${folder}.rs`,
      joinPlace(folder, "lib.rs"),
      joinPlace(folder, "main.rs"),
    );
  };
  /** Module around a module, which is a file or a `mod` with a body. */
  const outerOf = (module: Entity): Entity => {
    if (module === NOTHING) return NOTHING;
    const file = world.asFile(module);
    if (file >= 0) return parentOf(file);
    return moduleAround(world, world.fileOf(module), world.symbol(module).parent);
  };
  const paths: FamilyModules["paths"] = {
    start: (file, from, parts) => {
      switch (parts[0]) {
        case "crate":
        case "$crate":
          return { entity: rootOf(file), used: 1 };
        case "self":
        case "super": {
          let entity = moduleAround(world, file, from);
          let used = parts[0] === "self" ? 1 : 0;
          while (parts[used] === "super") {
            entity = outerOf(entity);
            used++;
          }
          return { entity, used };
        }
        default: {
          const folder = byName.get(parts[0] ?? "");
          if (folder === undefined) return undefined;
          const entity = fileOf(
            joinPlace(folder, "src/lib.rs"),
            joinPlace(folder, "src/main.rs"),
            joinPlace(folder, "lib.rs"),
          );
          return entity === NOTHING ? undefined : { entity, used: 1 };
        }
      }
    },
    external: (name) => {
      if (KEYWORDS.has(name)) return NOTHING;
      return world.external(STANDARD.has(name) ? `rust:${name}` : `cargo:${name}`);
    },
  };
  return {
    resolve: () => NOTHING,
    submodule: (module, name) => {
      const file = world.asFile(module);
      if (file < 0 || world.families[file] !== FAMILY) return NOTHING;
      const inside = insideOf(places[file] as string);
      return fileOf(joinPlace(inside, `${name}.rs`), joinPlace(inside, name, "mod.rs"));
    },
    paths,
  };
}

/** The innermost module that a symbol of a file is or stands in. */
function moduleAround(world: CodeWorld, file: number, symbol: number): Entity {
  const { symbols } = world.codeOf(file);
  for (let at = symbol; at >= 0; at = symbols[at]?.parent ?? -1) {
    if (symbols[at]?.kind === "module") return (world.first[file] as number) + at;
  }
  return world.fileEntity(file);
}
