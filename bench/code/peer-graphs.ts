/** What dependency-cruiser and madge find in a folder, by their own command lines, from a folder that they are installed in. */
import { execFileSync } from "node:child_process";
import { join, relative, resolve } from "node:path";

/** Imports between files, by the file that imports. */
export type FileImports = ReadonlyMap<string, ReadonlySet<string>>;

/** What a peer says of the files that both of us know. */
export interface PeerGraph {
  readonly imports: FileImports;
  /** What it calls orphans itself. */
  readonly orphans: ReadonlySet<string>;
}

const MAX_OUTPUT_BYTES = 1 << 30;

/** dependency-cruiser's graph, imports of types alone among them; its orphans have no import in or out. */
export function cruise(tools: string, folder: string, files: readonly string[]): PeerGraph {
  const known = new Set(files);
  // The folder alone: what is installed or built in is no part of the graph, and an import of it makes no connection.
  const report = run(tools, "depcruise", folder, [
    "--no-config",
    "--ts-pre-compilation-deps",
    "--include-only",
    "^(?!.*node_modules).*\\.[cm]?[jt]sx?$",
    "--output-type",
    "json",
    ".",
  ]) as { readonly modules: readonly CruisedModule[] };
  const isOwn = ({ source }: Pick<CruisedModule, "source">): boolean => known.has(source);
  return {
    imports: new Map(
      report.modules.filter(isOwn).map(({ source, dependencies }) => {
        const targets = dependencies.map(({ resolved }) => resolved).filter((to) => known.has(to) && to !== source);
        return [source, new Set(targets)];
      }),
    ),
    orphans: new Set(report.modules.filter((module) => isOwn(module) && module.orphan).map(({ source }) => source)),
  };
}

interface CruisedModule {
  readonly source: string;
  readonly orphan: boolean;
  readonly dependencies: readonly { readonly resolved: string }[];
}

/** madge's graph; its orphans are files that no other imports. */
export function askMadge(tools: string, folder: string, files: readonly string[]): PeerGraph {
  const known = new Set(files);
  const options = ["--json", "--extensions", "ts,tsx,mts,cts,js,jsx,mjs,cjs", "."];
  const graph = run(tools, "madge", folder, options) as Readonly<Record<string, readonly string[]>>;
  const orphans = run(tools, "madge", folder, ["--orphans", ...options]) as readonly string[];
  const inside = (path: string): string => relative(folder, resolve(folder, path));
  return {
    imports: new Map(
      Object.entries(graph)
        .map(([path, list]) => [inside(path), list.map(inside)] as const)
        .filter(([path]) => known.has(path))
        .map(([path, list]) => [path, new Set(list.filter((to) => known.has(to) && to !== path))]),
    ),
    orphans: new Set(orphans.map(inside).filter((path) => known.has(path))),
  };
}

/** Standard output of a tool, as JSON. Some exit with another code than 0 where they find something. */
function run(tools: string, name: string, folder: string, options: readonly string[]): unknown {
  const program = join(resolve(tools), "node_modules", ".bin", name);
  const settings = {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ["ignore", "pipe", "pipe"],
  } as const;
  try {
    return JSON.parse(execFileSync(program, options, settings));
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    if (!/^\s*[[{]/.test(output)) throw error;
    return JSON.parse(output);
  }
}
