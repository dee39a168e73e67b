/** The Worker of the conformance tests in the Workers runtime, on a free port of this machine. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectRoot } from "./environment.ts";
import { startRuntime } from "./miniflare.ts";

const ENTRY = join(projectRoot, "test", "worker", "conformance", "conformance-entry.ts");

/** A running server. */
export interface ConformanceServer {
  /** Address of the endpoint. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The part of esbuild that is used; it comes with wrangler. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
}

/** Bundle the Worker and start it. */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const fromWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler/package.json"));
  const esbuild = fromWrangler("esbuild") as Esbuild;
  const { outputFiles } = await esbuild.build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "import"],
    external: ["node:*", "cloudflare:*"],
    logLevel: "error",
  });
  const runtime = startRuntime("treeline-conformance", outputFiles[0]?.text ?? "");
  const address = await runtime.ready;
  return { url: new URL("/mcp", address).href, stop: () => runtime.dispose() };
}
