/**
 * What all browser tests share, started once before the first of them: Chromium, the Worker, and the indexes of two corpora.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { writeMaps } from "../../indexer/cli/map-files.ts";
import { readPageFiles, writePageFiles } from "../../indexer/cli/pages/pages.ts";
import { buildCorpus } from "../../indexer/index/build.ts";
import { projectRoot } from "../support/environment.ts";
import { chromiumOptions } from "../support/find-chromium.ts";
import { HOSTILE_CONFIG, HOSTILE_PAGES } from "../support/hostile-corpus.ts";
import { startWorker } from "../support/workerd.ts";

/** What tests find with `inject`. */
declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser takes connections of playwright. */
    readonly browserEndpoint: string;
    /** Address of the Worker, without a slash at its end. It has each corpus under its name, the handbook also at the root. */
    readonly workerUrl: string;
    /** Folder of the index of each corpus, with what pages load beside it. */
    readonly indexes: Readonly<Record<CorpusName, string>>;
  }
}

/** Pages whose texts would run, were any of them read as HTML. */
const SCRIPT = `<script>ran.push("script")</script><img src="x" onerror="ran.push('image')"><svg onload="ran.push('svg')">`;
const SCRIPT_PAGES = {
  "script.md": `---\ntitle: ${JSON.stringify(`Harm ${SCRIPT}`)}\ndescription: ${JSON.stringify(SCRIPT)}\ncategory: ${JSON.stringify(SCRIPT)}\n---\n# Harm ${SCRIPT}\n\nA harmful page: \`${SCRIPT}\` and </mark></script><script>ran.push("mark")</script>.\n\n## Harm \`${SCRIPT}\` {#"onmouseover=alert(1)}\n\nHarm in a section, [harm](javascript:ran.push("link")).\n`,
  [`harm<img src=x onerror=ran.push(1)>.md`]: `# Harm by name\n\nA harmful name of a file.\n`,
};

/** Corpora that are served: pages and source code of `test/fixtures`, and one in which every text is hostile. */
export type CorpusName = "handbook" | "workshop" | "hostile";

/** Starts everything. The result ends it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const scratch = await mkdtemp(join(tmpdir(), "treeline-browser-"));
  const starting = chromium.launchServer(chromiumOptions());
  const working = startWorker();
  const indexes = {
    handbook: join(scratch, "handbook-index"),
    workshop: join(scratch, "workshop-index"),
    hostile: join(scratch, "hostile-index"),
  };
  // Copies outside the checkout: inside, every commit of the project would be a new commit of the index.
  for (const name of ["handbook", "workshop"]) {
    await cp(join(projectRoot, "test", "fixtures", name), join(scratch, name), { recursive: true });
  }
  const hostile = { ...HOSTILE_PAGES, ...SCRIPT_PAGES, "treeline.config.json": JSON.stringify(HOSTILE_CONFIG) };
  for (const [path, text] of Object.entries(hostile)) {
    await mkdir(dirname(join(scratch, "hostile", path)), { recursive: true });
    await writeFile(join(scratch, "hostile", path), text);
  }
  const pageFiles = await readPageFiles();
  for (const name of ["handbook", "workshop", "hostile"] as const) {
    await buildCorpus({ dir: join(scratch, name), outDir: indexes[name] });
    await writePageFiles(indexes[name], pageFiles);
    await writeMaps(indexes[name], undefined);
  }
  const [browser, worker] = await Promise.all([starting, working]);
  await worker.publish("", indexes.handbook);
  for (const [name, dir] of Object.entries(indexes)) await worker.publish(name, dir);
  provide("browserEndpoint", browser.wsEndpoint());
  provide("workerUrl", worker.url);
  provide("indexes", indexes);
  return async () => {
    await Promise.all([browser.close(), worker.stop()]);
    await rm(scratch, { recursive: true, force: true });
  };
}
