/**
 * Files for pages as a module of texts: what the Worker serves without a read. Pure.
 */
import { createHash } from "node:crypto";
import type { PageFile } from "../cli/pages/pages.ts";

/** Path of the module below the project. */
export const WORKER_PAGES = "src/http/page-files.ts";
/** Digits of a hash that tell two versions of one file apart. */
const TAG_LENGTH = 16;

/** The text of the module. */
export function formatWorkerPages(files: readonly PageFile[]): string {
  const entries = files.map(({ name, bytes }) => {
    const tag = createHash("sha256").update(bytes).digest("hex").slice(0, TAG_LENGTH);
    const text = JSON.stringify(new TextDecoder().decode(bytes));
    return `  [${JSON.stringify(name)}, { tag: "${tag}", text: ${text} }],\n`;
  });
  return `/**
 * Modules for pages, bundled: text that \`npm run build:pages\` writes out of \`src/web\`. After a merge run it again.
 */

/** A file that a page loads. */
export interface WorkerPageFile {
  /** Tells versions apart. */
  readonly tag: string;
  readonly text: string;
}

/** By path below the address of a corpus. */
export const PAGE_FILES: ReadonlyMap<string, WorkerPageFile> = new Map<string, WorkerPageFile>([
${entries.join("")}]);
`;
}
