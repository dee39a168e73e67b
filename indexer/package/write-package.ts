/**
 * What `npm pack` puts into the package. npm calls this program twice:
 *
 *   prepack:  node indexer/package/write-package.ts          writes `dist/`, and the manifest that is published
 *   postpack: node indexer/package/write-package.ts restore  puts the clone's manifest back
 */

import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { packageRoot } from "../base/installation.ts";
import { STAND_INS } from "../engine/bundle-engine.ts";
import { bundleForFiles } from "../engine/bundle-pages.ts";
import { writeAssets } from "../engine/write-assets.ts";
import { TREE_DIALECTS } from "../languages/languages.ts";
import { packageFolders, writeNotice } from "./licence-notice.ts";
import { type Manifest, publishedManifest, restoreManifest, swapManifest } from "./manifest.ts";
import { findReached } from "./reached-modules.ts";
import { javascriptName, toJavascript } from "./to-javascript.ts";
import { writeTypes } from "./write-types.ts";

const HEADER = `# Grammars

The files of this folder are parsers of [tree-sitter](https://tree-sitter.github.io), compiled to WebAssembly. They were copied
out of these packages, whose licences follow. Those of \`@repomix/tree-sitter-wasms\` were compiled from the packages
\`tree-sitter-LANGUAGE\` of their languages, which are under the MIT licence.
`;

/** The command line: what it reaches is installed. */
const PROGRAM = "indexer/cli/main.ts";
const NOTICE = `# Packages in the bundles

\`worker.js\` and the files of \`assets/\` and \`engine/\` hold code of these packages, whose licences follow.
`;

const [step] = process.argv.slice(2);
if (restoreManifest(packageRoot) && step === undefined) {
  console.error("Packing was interrupted before: package.json is what it was again.");
}
if (step === undefined) await writePackage(packageRoot);
else if (step !== "restore") throw new Error(`there is no step ${JSON.stringify(step)}`);

async function writePackage(root: string): Promise<void> {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  const { files, packages } = await findReached(root, [PROGRAM]);
  for (const path of files) writeModule(root, dist, path);
  chmodSync(join(dist, javascriptName(PROGRAM)), 0o755);
  copyGrammars(join(dist, "grammars"));
  copyFileSync(join(root, "wrangler.toml"), join(dist, "wrangler.toml"));
  const worker = await bundleWorker(root);
  write(join(dist, "worker.js"), worker.bytes);
  const engine = await bundleForFiles();
  for (const { name, bytes } of engine) write(join(dist, "engine", name), bytes);
  const assets = await writeAssets(join(dist, "assets"));
  const bundled = [...worker.sources, ...[...engine, ...assets].flatMap(({ sources }) => sources)].sort();
  write(join(dist, "NOTICE.md"), writeNotice(NOTICE, packageFolders(bundled.map((path) => join(root, path)))));
  writeTypes(root, dist);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  swapManifest(root, `${JSON.stringify(publishedManifest(manifest, packages), null, 2)}\n`);
}

/** A module as JavaScript, any other file as it is. */
function writeModule(root: string, dist: string, path: string): void {
  const bytes = readFileSync(join(root, path));
  write(join(dist, javascriptName(path)), path.endsWith(".ts") ? toJavascript(bytes.toString("utf8"), path) : bytes);
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Copies all of them, with a notice of where they come from. @param folder Gets them. */
function copyGrammars(folder: string): void {
  const require = createRequire(import.meta.url);
  mkdirSync(folder, { recursive: true });
  const filesOf = new Map<string, string[]>();
  for (const { grammar } of TREE_DIALECTS.values()) {
    const file = require.resolve(grammar);
    copyFileSync(file, join(folder, basename(file)));
    const [source = ""] = packageFolders([file.replaceAll("\\", "/")]).keys();
    filesOf.set(source, [...(filesOf.get(source) ?? []), basename(file)]);
  }
  writeFileSync(join(folder, "NOTICE.md"), writeNotice(HEADER, filesOf));
}

/** The bundle. */
interface WorkerBundle {
  readonly bytes: Uint8Array;
  /** Modules that it holds, by path below the project. */
  readonly sources: readonly string[];
}

/** Bundle the Worker, minified. @param root Folder of the project. */
async function bundleWorker(root: string): Promise<WorkerBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    alias: STAND_INS,
    entryPoints: ["src/worker/worker.ts"],
    bundle: true,
    charset: "utf8",
    // Those that wrangler looks for; the runtime brings what is external.
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    format: "esm",
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
