/** A program that runs beside a proof, in a process group of its own, which ends with it. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A running program. */
export interface StartedProgram {
  /** The first line, of those said already or to come, that matches. @throws {Error} Where the program ends before. */
  readonly waitFor: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts a program. @param environment Beside that of this one. */
export function startProgram(
  file: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): StartedProgram {
  const child = spawn(file, words, {
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  const tell = (): void => {
    for (const look of waiting) look();
  };
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      lines.push(line);
      tell();
    });
  }
  const over = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  }).then(() => {
    isOver = true;
    tell();
  });
  return {
    lines,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          for (const line of lines) {
            const found = pattern.exec(line);
            if (found === null) continue;
            waiting.delete(look);
            resolve(found);
            return;
          }
          if (!isOver) return;
          waiting.delete(look);
          reject(new Error(`${file} ended: ${lines.slice(-5).join("\n")}`));
        };
        waiting.add(look);
        look();
      }),
    async stop() {
      if (!isOver && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await over;
    },
  };
}
