/**
 * Write the engine for pages beside the index that they search.
 *
 *   npm run build:engine -- DIR
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundleEngine } from "./bundle-engine.ts";

const [dir] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run build:engine -- DIR");
  process.exit(2);
}
await mkdir(dir, { recursive: true });
for (const { name, bytes } of await bundleEngine()) {
  await writeFile(join(dir, name), bytes);
  console.log(`${join(dir, name)}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} with gzip`);
}
