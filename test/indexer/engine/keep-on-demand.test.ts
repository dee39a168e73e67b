import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { keepOnDemand } from "../../../indexer/engine/keep-on-demand.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

async function bundle(entry: string): Promise<{ readonly text: string; readonly found: ReadonlyMap<string, string> }> {
  const found = new Map<string, string>();
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    logLevel: "silent",
    plugins: [keepOnDemand(found, (module) => `own-${module}.js`)],
    write: false,
  });
  return { text: outputFiles[0]?.text ?? "", found };
}

describe("imports on demand in a bundle", () => {
  it("name a file of their own, and are asked for again after a failure", async () => {
    const dir = await makeFolder({
      "entry.ts": `export const load = () => import("./in/part.ts");\nexport type Part = typeof import("./in/type.ts");\n`,
      "in/part.ts": "export const part = 'of its own';\n",
      "in/type.ts": "export const type = 1;\n",
    });
    const { text, found } = await bundle(join(dir, "entry.ts"));
    expect([...found]).toEqual([["own-part.js", join(dir, "in", "part.ts")]]);
    expect(text).toMatch(/=> loadModule\("\.\/own-part\.js"\)/);
    expect(text).toMatch(/function loadModule\b/);
    expect(text).not.toContain("of its own");
  });

  it("are refused where they are written in a way that would load them at once", async () => {
    const dir = await makeFolder({ "entry.ts": `export const load = () => import('./part');\n`, "part.ts": "" });
    await expect(bundle(join(dir, "entry.ts"))).rejects.toThrow(/imports \.\/part on demand/);
  });
});
