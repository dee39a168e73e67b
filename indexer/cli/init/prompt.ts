/**
 * Questions to a person at a terminal, each with an answer that is taken when nothing is typed.
 *
 * I/O: standard input and standard error; output stays free for what was asked for.
 */
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { InputError } from "../../../src/core/errors.ts";

/** A person who answers. */
export interface Prompt {
  /** What is typed, or `usual` where nothing is. */
  readonly ask: (question: string, usual: string) => Promise<string>;
  readonly close: () => void;
}

/** The terminal; undefined where nobody is at it. */
export function openPrompt(): Prompt | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true || process.env.CI !== undefined) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  // The end of input leaves a question without an answer for ever.
  lines.once("close", () => ended.abort());
  return {
    ask: async (question, usual) => {
      const shown = usual === "" ? `${question}: ` : `${question} [${usual}]: `;
      try {
        const typed = (await lines.question(shown, { signal: ended.signal })).trim();
        return typed === "" ? usual : typed;
      } catch (error) {
        if (!ended.signal.aborted) throw error;
        process.stderr.write("\n");
        throw new InputError("not all questions were answered; nothing was written");
      }
    },
    close: () => lines.close(),
  };
}
