/** Which module an import names, by the rules of the file's language. Pure. */

import { createNamespaceResolver, createPathResolver } from "../../languages/base/imports.ts";
import type { Manifests } from "../../languages/base/manifests.ts";
import { dotted, type Spaces } from "../../languages/base/spaces.ts";
import { type CodeFamily, type CodeWorld, type Entity, NOTHING } from "../../languages/base/world.ts";
import { createGoResolver } from "../../languages/go/go.ts";
import { createPythonModules } from "../../languages/python/python.ts";
import { createRustModules, type RustModules } from "../../languages/rust/rust.ts";
import { createScriptResolver, type ResolveImport } from "../../languages/typescript/resolve.ts";

/** Modules of all languages. */
export interface Modules {
  /** Module of an import; paths of Rust are followed by names, see `bindings.ts`. Each specifier of a file is resolved once. */
  readonly resolve: ResolveImport;
  /** Module inside a module that is no name in its file. */
  readonly submodule: (module: Entity, name: string) => Entity;
  readonly rust: RustModules;
}

/** See the header. */
export function createModules(world: CodeWorld, manifests: Manifests, spaces: Spaces): Modules {
  const python = createPythonModules(world, manifests);
  const rust = createRustModules(world, manifests);
  const script = createScriptResolver(world, manifests);
  const includes = createPathResolver("c", world, manifests.diagnostics);
  const nowhere: ResolveImport = () => NOTHING;
  const resolvers: Readonly<Record<CodeFamily, ResolveImport>> = {
    script,
    other: script,
    python: python.resolve,
    rust: nowhere,
    go: createGoResolver(world, manifests, spaces),
    jvm: createNamespaceResolver("jvm", world, spaces, manifests),
    csharp: createNamespaceResolver("csharp", world, spaces, manifests),
    php: createNamespaceResolver("php", world, spaces, manifests),
    swift: createNamespaceResolver("swift", world, spaces, manifests),
    c: (file, specifier) => {
      // `using namespace a::b` names no file.
      const space = /[./]/.test(specifier) ? NOTHING : spaces.find("c", dotted(specifier));
      if (space !== NOTHING) return space;
      return /^std$|::/.test(specifier) ? world.external(`c:${specifier}`) : includes(file, specifier);
    },
    ruby: createPathResolver("ruby", world, manifests.diagnostics),
    bash: createPathResolver("bash", world, manifests.diagnostics),
  };
  const known: (Map<string, Entity> | undefined)[] = new Array(world.files.length);
  return {
    resolve: (file, specifier) => {
      known[file] ??= new Map();
      const before = known[file].get(specifier);
      if (before !== undefined) return before;
      const entity = resolvers[world.families[file] as CodeFamily](file, specifier);
      known[file].set(specifier, entity);
      return entity;
    },
    submodule: (module, name) => {
      const inPython = python.submodule(module, name);
      return inPython === NOTHING ? rust.submodule(module, name) : inPython;
    },
    rust,
  };
}
