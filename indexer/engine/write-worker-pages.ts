/**
 * Write what the Worker serves to pages as a module of texts, `src/http/page-files.ts`.
 *
 *   npm run build:pages
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packageRoot } from "../base/installation.ts";
import { bundleForWorker } from "./bundle-pages.ts";
import { formatWorkerPages, WORKER_PAGES } from "./worker-pages.ts";

const files = await bundleForWorker();
await writeFile(join(packageRoot, WORKER_PAGES), formatWorkerPages(files));
for (const { name, bytes } of files) {
  console.log(`/${name}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} with gzip`);
}
