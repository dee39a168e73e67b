/**
 * What a command of the command line is. How to add one: a file in `commands/` that exports a `Command`, and its
 * line in the list of `main.ts`.
 *
 * Pure types, and the error for wrong usage.
 */

/** Exit codes of every command. */
export const EXIT = {
  /** Done. Warnings may have been printed. */
  done: 0,
  /** Unusable configuration, empty corpus, findings with `--strict` or `--fail-on`, or a failure on the way. */
  failed: 1,
  /** The command was not called as it must be. */
  usage: 2,
} as const;

/** One option of a command. */
export interface CommandOption {
  /** `flag` is there or not; `text` takes a value, which `placeholder` names in the help; `list` takes one each time it is given. */
  readonly kind: "flag" | "text" | "list";
  readonly short?: string;
  readonly placeholder?: string;
  readonly description: string;
}

/** What was typed after a command's name. */
export interface CommandInput {
  /** What stands without an option, in order. */
  readonly positionals: readonly string[];
  readonly has: (flag: string) => boolean;
  readonly text: (option: string) => string | undefined;
  /** Values of an option of the kind `list`, in order. */
  readonly list: (option: string) => readonly string[];
}

/** Where a command writes. */
export interface Terminal {
  /** A line of output: what was asked for. */
  readonly print: (line: string) => void;
  /** A line about the work: progress, warnings, errors. */
  readonly warn: (line: string) => void;
  /** True where a person is watching, so that progress may move. */
  readonly interactive: boolean;
}

/** A command. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Names of what stands without an option, as the help shows them: `[dir]`. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** A few lines of further help. */
  readonly details?: string;
  /** Does it. The result is the exit code. `InputError` is printed and gives 1, `UsageError` 2. */
  readonly run: (input: CommandInput, terminal: Terminal) => Promise<number>;
}

/** A command of the list, loaded when it is called or described. */
export interface ListedCommand {
  readonly name: string;
  readonly load: () => Promise<Command>;
}
