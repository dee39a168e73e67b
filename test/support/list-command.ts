/** Commands as the command line lists and runs them. */
import { type Command, runCli } from "../../indexer/cli/run-cli.ts";

/** What a command printed, and its exit code. */
export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command that is loaded already, as one of the list. */
export function listCommand(command: Command): Parameters<typeof runCli>[0][number] {
  return { name: command.name, load: async () => command };
}

/** Run the command line with some commands. */
export async function runCommands(commands: readonly Command[], words: readonly string[]): Promise<CommandOutput> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    print: (line: string) => out.push(line),
    warn: (line: string) => err.push(line),
    interactive: false,
  };
  const code = await runCli(commands.map(listCommand), words, terminal);
  return { code, out: out.join("\n"), err: err.join("\n") };
}
