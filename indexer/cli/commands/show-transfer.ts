/**
 * Progress of uploads and downloads, for who is watching.
 */

import { formatBytes } from "../../base/printable.ts";
import type { TransferProgress } from "../../publish/transfer.ts";
import type { Terminal } from "../command.ts";

const PROGRESS_EVERY_MS = 200;

/** What shows progress on a terminal where a person sits, now and then. */
export function showTransfer(terminal: Terminal, isQuiet: boolean): (progress: TransferProgress) => void {
  let shown = performance.now();
  return ({ files, allFiles, bytes, allBytes }) => {
    const now = performance.now();
    if (isQuiet || !terminal.interactive || now - shown < PROGRESS_EVERY_MS) return;
    shown = now;
    terminal.warn(`${files} of ${allFiles} files, ${formatBytes(bytes)} of ${formatBytes(allBytes)}`);
  };
}
