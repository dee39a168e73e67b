/**
 * Imports on demand stay imports, each of a file of its own beside the one that imports it, through a function that asks again for
 * what could not be loaded.
 */
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** What loads a module in the place of `import()`. */
export interface Loader {
  /** Its file, below `src/web`, and its name there. */
  readonly file: string;
  readonly name: string;
}

const ELEMENT = fileURLToPath(new URL("../../src/web/", import.meta.url));
/** Loads a file that is a module like any other. */
const LOAD_MODULE: Loader = { file: "load-module.ts", name: "loadModule" };
/** Imports on demand as they are written here; a type that is taken from a module is none. */
const ON_DEMAND = /(?<!\btypeof )\bimport\("(\.[^"]+\.ts)"\)/g;

/**
 * The plugin of esbuild that does it.
 *
 * @param found Gets the modules, by the name of their file.
 * @param nameOf The file's name for that of a module without `.ts`.
 */
export function keepOnDemand(
  found: Map<string, string>,
  nameOf = (module: string): string => `${module}.js`,
  loader = LOAD_MODULE,
): Plugin {
  return {
    name: "keep-on-demand",
    setup(build) {
      build.onLoad({ filter: /\.ts$/, namespace: "file" }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const contents = source.replace(ON_DEMAND, (_, target: string) => {
          const name = nameOf(basename(target, ".ts"));
          found.set(name, resolve(dirname(path), target));
          return `$load("./${name}")`;
        });
        if (contents === source) return undefined;
        const file = relative(dirname(path), join(ELEMENT, loader.file)).replace(/^(?!\.)/, "./");
        return { contents: `import { ${loader.name} as $load } from "${file}";\n${contents}`, loader: "ts" };
      });
      // Written in another way it would be bundled, and loaded at once.
      build.onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
        if (kind !== "dynamic-import") return undefined;
        throw new Error(`${importer} imports ${path} on demand: write import("${path}") on one line, with .ts`);
      });
    },
  };
}
