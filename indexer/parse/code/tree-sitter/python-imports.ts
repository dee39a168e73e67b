/** Imports of Python: what they bind, whether for types alone, and where dotted names lead. */
import type { ImportDraft } from "./drafts.ts";
import type { Chain, Declarations, Names } from "./rules.ts";
import { NONE, type SyntaxTree } from "./syntax-tree.ts";

/** `import a.b as c`. */
export function declareImport(file: Declarations, node: number): void {
  const { tree } = file;
  file.claimAll(node);
  for (const entry of tree.allIn(node, "name")) {
    const alias = tree.field(entry, "alias");
    const nameNode = tree.type(entry) === "aliased_import" ? tree.field(entry, "name") : entry;
    const specifier = tree.textOf(nameNode).replace(/\s+/g, "");
    const local = alias === NONE ? (specifier.split(".")[0] as string) : tree.textOf(alias);
    file.addImport({ specifier, imported: "*", local, node: nameNode });
  }
}

/** `from a import b as c`, also of `__future__`. */
export function declareImportFrom(file: Declarations, node: number): void {
  const { tree } = file;
  file.claimAll(node);
  const module = tree.field(node, "module_name");
  const specifier =
    tree.type(node) === "future_import_statement" ? "__future__" : tree.textOf(module).replace(/\s+/g, "");
  if (tree.child(node, "wildcard_import") !== NONE) {
    file.addImport({ specifier, imported: "*", local: "*", node: module });
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

/** Nodes in the blocks of `if TYPE_CHECKING:`, as 1 at their number; undefined where a tree has no such block. */
const typeOnlyNodes = new WeakMap<SyntaxTree, Uint8Array | undefined>();

/** Whether a node is in the block of `if TYPE_CHECKING:`. */
export function isTypeOnly(tree: SyntaxTree, node: number): boolean {
  if (!typeOnlyNodes.has(tree)) typeOnlyNodes.set(tree, markTypeOnly(tree));
  return typeOnlyNodes.get(tree)?.[node] === 1;
}

function markTypeOnly(tree: SyntaxTree): Uint8Array | undefined {
  let marked: Uint8Array | undefined;
  for (let node = 0; node < tree.count; node++) {
    if (marked?.[node] === 1 || tree.type(node) !== "if_statement") continue;
    if (!/^(?:typing\.|t\.)?TYPE_CHECKING$/.test(tree.textOf(tree.field(node, "condition")))) continue;
    const block = tree.field(node, "consequence");
    if (block === NONE) continue;
    marked ??= new Uint8Array(tree.count);
    marked.fill(1, block + 1, tree.after(block));
  }
  return marked;
}

/** `import a.b` binds `a`, and `a.b.c` leads to `c` of the module `a.b`. Undefined where no import has a dotted name. */
export function dottedChain(names: Names, node: number, depth: number): Chain | undefined {
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
