/**
 * Questions to a person at a terminal, each with an answer that is taken when nothing is typed.
 *
 * I/O: standard input and standard error; output stays free for what was asked for.
 */
import process from "node:process";
import { createInterface } from "node:readline/promises";

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
  return {
    ask: async (question, usual) => {
      const typed = await lines.question(usual === "" ? `${question}: ` : `${question} [${usual}]: `);
      return typed.trim() === "" ? usual : typed.trim();
    },
    close: () => lines.close(),
  };
}
