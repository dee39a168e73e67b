/**
 * The Worker as one file, with all packages that it uses: what `main` of a `wrangler.toml` names in a project that has
 * installed Treeline.
 */
import { build } from "esbuild";

/** The bundle. */
export interface WorkerBundle {
  readonly bytes: Uint8Array;
  /** Modules that it holds, by path below the project. */
  readonly sources: readonly string[];
}

/** Bundle the Worker, minified. @param root Folder of the project. */
export async function bundleWorker(root: string): Promise<WorkerBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/worker.ts"],
    bundle: true,
    charset: "utf8",
    // Those that wrangler looks for; the runtime brings what is external.
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    format: "esm",
    // Names in the log's traces; nothing translates them there.
    keepNames: true,
    legalComments: "none",
    metafile: true,
    minify: true,
    outfile: "worker.js",
    target: "es2024",
    write: false,
  });
  const [file] = outputFiles;
  const held = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  if (file === undefined) throw new Error("the Worker's bundle is empty");
  return { bytes: file.contents, sources: held };
}
