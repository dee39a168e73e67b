/** Start a program in the checkout and wait for it. */
import { spawn } from "node:child_process";
import { projectRoot, quietEnvironment } from "./environment.ts";

/** How a program ended and what it printed, standard error included, in order. */
export interface ProgramResult {
  /** Exit code; 1 when a signal ended the program. */
  readonly exitCode: number;
  readonly output: string;
}

/** Run a program to its end, without standard input, in `folder`, with further variables in its environment. */
export function runProgram(
  program: string,
  parameters: readonly string[],
  folder = projectRoot,
  environment: NodeJS.ProcessEnv = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: folder,
      env: { ...quietEnvironment(), NO_COLOR: "1", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (text: string) => {
      output += text;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
