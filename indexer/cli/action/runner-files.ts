/**
 * Files that a runner of GitHub Actions reads when a step is over: its outputs and its summary.
 *
 * I/O: appends to files.
 */
import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";

/** Outputs as lines of the file of outputs: each value between marks that it cannot hold. */
export function formatOutputs(outputs: Readonly<Record<string, string>>, makeMark: () => string = randomUUID): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      let mark = `end-${makeMark()}`;
      while (value.includes(mark)) mark = `end-${makeMark()}`;
      return `${name}<<${mark}\n${value}\n${mark}\n`;
    })
    .join("");
}

/** Append to a file of the runner, where it has one. */
export async function appendTo(file: string | undefined, text: string): Promise<void> {
  if (file !== undefined && file !== "" && text !== "") await appendFile(file, text);
}
