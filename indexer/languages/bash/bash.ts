/** Bash: functions, variables at the top of a script, what it sources (`sh:` outside) and which functions it calls. */
import { createPathResolver } from "../base/imports.ts";
import type { Family, Language } from "../base/language.ts";
import { type Declarations, declares, type LanguageRules } from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";

const BUILT_IN = new Set(
  "alias bg bind break builtin cd command compgen complete continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait awk basename cat chmod cp cut date dirname find git grep head ls make mkdir mktemp mv rm sed sleep sort tail tar tee touch tr uniq wc xargs".split(
    " ",
  ),
);

function declareVariable(file: Declarations, node: number, tree: SyntaxTree): void {
  const nameNode = tree.field(node, "name");
  if (tree.type(nameNode) !== "variable_name") return;
  const parent = tree.parent(node);
  const words = tree.type(parent) === "declaration_command" ? tree.textOf(parent) : "";
  // `NAME=value command` sets it for that command alone.
  if (tree.type(parent) === "command") {
    file.claim(nameNode);
    return;
  }
  if (file.isInFunction) {
    if (/^(?:local|declare|typeset|readonly)\b/.test(words) && !/\s-\w*g/.test(words))
      file.addLocal(nameNode, NONE, NONE, true);
    return;
  }
  if (file.fileScope.names.get(tree.textOf(nameNode))?.kind === "symbol") return;
  const isConstant = /^readonly\b|^(?:declare|typeset)\s+-\w*r/.test(words);
  file.addSymbol({
    kind: isConstant ? "constant" : "variable",
    node: words === "" ? node : parent,
    nameNode,
    flags: /^export\b|\s-\w*x/.test(words) ? ["exported"] : [],
  });
}

function declareSource(file: Declarations, node: number, tree: SyntaxTree): void {
  const name = tree.textOf(tree.field(node, "name"));
  if (name !== "." && name !== "source") return;
  const argument = tree.field(node, "argument");
  if (argument === NONE) return;
  file.claimAll(tree.field(node, "name"));
  file.importAll(tree.textOf(argument).replace(/^["']|["']$/g, ""), argument);
}

const RULES: LanguageRules = {
  declare: {
    function_definition: declares("function", ["exported"]),
    variable_assignment: declareVariable,
    command: declareSource,
    for_statement: (file, node, tree) => file.addLocal(tree.field(node, "variable"), NONE, NONE, true),
  },
  names: new Set(["word", "variable_name"]),
  shapes: { command_name: { is: "through", child: { place: "first" } } },
  useKinds: { command_name: "calls", "variable_assignment.name": "writes" },
  comments: new Set(["comment"]),
  useKind: (uses, node) => {
    const { tree } = uses;
    const name = tree.textOf(node);
    const isKnown = uses.resolve(name).root.kind !== "free";
    // A word is the name of a function in front of a command, else a text. Programs are no symbols of the code, but
    // what another script defines looks alike, so only what the shell itself knows is left out.
    if (tree.type(node) === "word") {
      if (tree.type(tree.parent(node)) !== "command_name") return "none";
      return isKnown || (/^[A-Za-z_][\w:-]*$/.test(name) && !BUILT_IN.has(name)) ? "calls" : "none";
    }
    return undefined;
  },
};

const FAMILY: Family = {
  name: "bash",
  createModules: (linking) => ({
    resolve: createPathResolver(linking, {
      family: FAMILY,
      ending: "",
      outside: (specifier) => `sh:${specifier}`,
    }),
  }),
  createNames: ({ bindings }) => ({ resolveFree: bindings.fromStars }),
};

export const BASH: Language = {
  trees: {
    bash: { grammar: "tree-sitter-bash/tree-sitter-bash.wasm", rules: RULES, isTooLargeToOptimize: true },
  },
  family: FAMILY,
};
