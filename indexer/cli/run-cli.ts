/** Command line without its process: commands, their options, and the meaning of errors. A new command is an exported `Command` in `commands/` and a line in the list of `main.ts`. */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { FormatError, InputError, StaleGenerationError } from "../../src/core/errors.ts";
import { nearestNames } from "../../src/core/text/nearest.ts";
import { cleanText } from "../../src/surface/render/text.ts";
import { toPrintable, UsageError } from "../base/diagnostic.ts";
import { isAddress } from "../base/index-source.ts";
import { DEFAULT_OUT, readVersion } from "../base/installation.ts";

/** Exit codes of every command. */
export const EXIT = {
  /** Done. Warnings may have been printed. */
  done: 0,
  /** Unusable configuration, empty corpus, findings with `--strict` or `--fail-on`, or a failure on the way. */
  failed: 1,
  /** The command was not called as it must be. */
  usage: 2,
} as const;

interface CommandOption {
  /** `flag` is there or not; `text` takes a value, which `placeholder` names in the help; `list` takes one each time it is given. */
  readonly kind: "flag" | "text" | "list";
  readonly short?: string;
  readonly placeholder?: string;
  readonly description: string;
}

/** Options of each kind. `placeholder` names the value: after FILE, DIR and PLACE an empty one is refused. */
export const option = {
  flag: (description: string, short?: string): CommandOption => ({
    kind: "flag",
    description,
    ...(short && { short }),
  }),
  text: (placeholder: string, description: string, short?: string): CommandOption => ({
    kind: "text",
    placeholder,
    description,
    ...(short && { short }),
  }),
  list: (placeholder: string, description: string): CommandOption => ({ kind: "list", placeholder, description }),
};

export interface CommandInput {
  /** What stands without an option, in order. */
  readonly positionals: readonly string[];
  readonly has: (flag: string) => boolean;
  readonly text: (option: string) => string | undefined;
  /** Values of an option of the kind `list`, in order. */
  readonly list: (option: string) => readonly string[];
}

export interface Terminal {
  readonly print: (line: string) => void;
  /** A line about the work: progress, warnings, errors. */
  readonly warn: (line: string) => void;
  /** True where a person is watching, so that progress may move. */
  readonly interactive: boolean;
  /** Shows a line that the next line of any kind replaces. Called only where a person is watching. */
  readonly show?: (line: string) => void;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Names of what stands without an option, as the help shows them: `[dir]`. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly details?: string;
  /** Does it. The result is the exit code. `InputError` is printed and gives 1, `UsageError` 2. */
  readonly run: (input: CommandInput, terminal: Terminal) => Promise<number>;
}

/** A command of the list, loaded when it is called or described. */
interface ListedCommand {
  readonly name: string;
  readonly load: () => Promise<Command>;
}

/** What an option takes, by the placeholder of one that cannot be empty. */
const NEEDED: Readonly<Record<string, string>> = {
  FILE: "a file",
  DIR: "a folder",
  PLACE: "a folder or an address",
};
const PROGRAM = "treeline";

/** Prints a result: with `--json` as one JSON object, else in lines, and with `--quiet` not at all. @param clean Takes out of a line what moves a cursor. */
export function printResult<T>(
  { has }: Pick<CommandInput, "has">,
  { print }: Terminal,
  value: T,
  describe: (value: T) => readonly string[],
  clean: (line: string) => string = toPrintable,
): void {
  if (has("json")) print(JSON.stringify(value));
  else if (!has("quiet")) for (const line of describe(value)) print(clean(line));
}

/** Texts of other people, without what moves a cursor or hides words. */
export const clean = (text: string): string => cleanText(text).text;

const SHOWN_LINES = 20;

/** Warns with the first lines of a list, and says how many more `--json` lists. @param hidden Lines that are not in the list. */
export function warnSome({ warn }: Terminal, lines: readonly string[], indent = "", hidden = 0): void {
  for (const line of lines.slice(0, SHOWN_LINES)) warn(toPrintable(`${indent}${line}`));
  const left = hidden + Math.max(0, lines.length - SHOWN_LINES);
  if (left > 0) warn(`${indent}… and ${left} more; --json lists them`);
}

const PROGRESS_EVERY_MS = 200;

const BAR_CELLS = 24;

/** Shows how far work is, where a person watches and did not ask for quiet: what is done at first, then a bar, then what follows. */
export function showProgress(
  { has }: Pick<CommandInput, "has">,
  { interactive, show = () => undefined }: Terminal,
  [first, last]: readonly [first: string, last: string],
): (done: number, total: number, line: string) => void {
  if (has("quiet") || !interactive) return () => undefined;
  show(first);
  const began = performance.now();
  let shown = 0;
  return (done, total, line) => {
    const now = performance.now();
    if (done < total && now - shown < PROGRESS_EVERY_MS) return;
    shown = now;
    const cells = Math.round((BAR_CELLS * done) / Math.max(1, total));
    const bar = "█".repeat(cells) + "░".repeat(BAR_CELLS - cells);
    const rate = Math.round((1000 * done) / Math.max(1, now - began));
    show(done < total ? `${bar} ${line}, ${rate}/s` : last);
  };
}

/** Run one command line. The result is the exit code. */
export async function runCli(
  commands: readonly ListedCommand[],
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [name, ...rest] = words;
  const [topic] = rest;
  if (name === "help" && topic !== undefined && !topic.startsWith("-"))
    return runCli(commands, [topic, "--help"], terminal);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    terminal.print(describeProgram(await Promise.all(commands.map(({ load }) => load()))));
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === "completion") {
    const write = SHELLS.get(topic ?? "");
    if (write === undefined) terminal.warn(`usage: ${PROGRAM} completion ${[...SHELLS.keys()].join("|")}`);
    else terminal.print(write(await Promise.all(commands.map(({ load }) => load()))));
    return write === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === "--version" || name === "-v") {
    terminal.print(readVersion());
    return EXIT.done;
  }
  const listed = commands.find((known) => known.name === name);
  if (listed === undefined) {
    terminal.warn(describeUnknown(commands, name));
    return EXIT.usage;
  }
  const command = await listed.load();
  try {
    const input = readInput(command, rest);
    if (input === "help") {
      terminal.print(describeCommand(command));
      return EXIT.done;
    }
    return await command.run(input, terminal);
  } catch (error) {
    return reportError(command, error, terminal);
  }
}

function readInput(command: Command, words: readonly string[]): CommandInput | "help" {
  const options: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const [name, { kind, short }] of Object.entries(command.options)) {
    const type = kind === "flag" ? "boolean" : "string";
    options[name] = { type, multiple: kind === "list", ...(short !== undefined && { short }) };
  }
  const parsed = parseWords(command, [...words], options);
  if (parsed.values.help === true) return "help";
  const { positionals, values } = parsed;
  const takesMore = command.positionals.at(-1)?.includes("...") === true;
  if (!takesMore && positionals.length > command.positionals.length) {
    throw new UsageError(`unexpected ${JSON.stringify(positionals[command.positionals.length])}`);
  }
  for (const [name, { placeholder = "" }] of Object.entries(command.options)) {
    if (![values[name]].flat().includes("") || NEEDED[placeholder] === undefined) continue;
    throw new UsageError(`--${name} needs ${NEEDED[placeholder]}`);
  }
  return {
    positionals,
    has: (flag) => values[flag] === true,
    text: (option) => {
      const value = values[option];
      return typeof value === "string" ? value : undefined;
    },
    list: (option) => {
      const value = values[option];
      return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
    },
  };
}

function parseWords(command: Command, args: string[], options: NonNullable<ParseArgsConfig["options"]>) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) throw error;
    const wrong = args.find((word) => word.startsWith("-") && !Object.hasOwn(options, word.replace(/^-+|=.*$/g, "")));
    if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION" || wrong === undefined) {
      throw new UsageError((error as Error).message, { cause: error });
    }
    const nearest = nearestNames(wrong, Object.keys(command.options));
    const hint = nearest.length > 0 ? `; did you mean ${nearest.map((near) => `--${near}`).join(", ")}?` : "";
    throw new UsageError(`unknown option ${wrong}${hint}`, { cause: error });
  }
}

function reportError(command: Command, error: unknown, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.warn(`${PROGRAM} ${command.name}: ${error.message}`);
    terminal.warn(`usage: ${usageOf(command)}`);
    return EXIT.usage;
  }
  if (error instanceof InputError) {
    terminal.warn(`${PROGRAM} ${command.name}: ${error.message}`);
    if (error.nearest.length > 0) terminal.warn(`did you mean: ${error.nearest.join(", ")}?`);
    if (error.example !== undefined) terminal.warn(`example: ${error.example}`);
    return EXIT.failed;
  }
  if (error instanceof FormatError || error instanceof StaleGenerationError) {
    terminal.warn(`${PROGRAM} ${command.name}: the index cannot be read: ${error.message}`);
    terminal.warn("build it again: treeline build DIR --out INDEX");
    return EXIT.failed;
  }
  terminal.warn(
    `${PROGRAM} ${command.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`,
  );
  return EXIT.failed;
}

const SHELLS: ReadonlyMap<string, (commands: readonly Command[]) => string> = new Map([
  ["bash", completeInBash],
  [
    "zsh",
    (commands) => `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${completeInBash(commands)}`,
  ],
  ["fish", completeInFish],
]);

function completeInBash(commands: readonly Command[]): string {
  const cases = commands.map(
    ({ name, options }) =>
      `    ${name}) words="${["help", ...Object.keys(options)].map((word) => `--${word}`).join(" ")}" ;;`,
  );
  return `_${PROGRAM}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} help completion" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -F _${PROGRAM} ${PROGRAM}`;
}

function completeInFish(commands: readonly Command[]): string {
  const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
  return commands
    .flatMap(({ name, summary, options }) => [
      `complete -c ${PROGRAM} -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...Object.entries(options).map(
        ([option, { kind, description }]) =>
          `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from ${name}' -l ${option}${kind === "flag" ? "" : " -r"} -d ${quote(description)}`,
      ),
    ])
    .join("\n");
}

function describeUnknown(commands: readonly ListedCommand[], name: string): string {
  const names = commands.map((command) => command.name);
  const nearest = nearestNames(name, names);
  const hint = nearest.length > 0 ? `did you mean ${nearest.join(", ")}?` : `the commands are ${names.join(", ")}`;
  return `${PROGRAM}: there is no command ${JSON.stringify(name)}; ${hint}`;
}

function describeProgram(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `usage: ${PROGRAM} <command> [options]`,
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    `${PROGRAM} help <command> says more, ${PROGRAM} completion bash|zsh|fish writes completions for a shell, ${PROGRAM} --version which one this is. Exit codes: 0 done, 1 unusable input or findings with --strict or --fail-on, 2 wrong usage.`,
  ].join("\n");
}

function describeCommand(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const value = option.kind === "flag" ? "" : ` ${option.placeholder ?? "VALUE"}`;
    return { left: `${short}--${name}${value}`, right: option.description };
  });
  const width = Math.max(0, ...options.map(({ left }) => left.length));
  const lines = [`usage: ${usageOf(command)}`, "", command.summary];
  if (command.details !== undefined) lines.push("", command.details);
  if (options.length > 0) lines.push("", ...options.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`));
  return lines.join("\n");
}

function usageOf({ name, positionals, options }: Command): string {
  const optional = Object.entries(options).map(([option, { kind, placeholder }]) =>
    kind === "flag" ? `[--${option}]` : `[--${option} ${placeholder ?? "VALUE"}]${kind === "list" ? "..." : ""}`,
  );
  return [PROGRAM, name, ...positionals, ...optional].join(" ");
}

export const indexOption: CommandOption = option.text(
  "PLACE",
  `Folder that \`treeline build\` wrote, or the web address of its files. Default ${DEFAULT_OUT}.`,
  "i",
);

/** `--index DIR`, of a command that takes no address. @param what What the folder is, as a sentence without its end. */
export function indexFolderOption(what: string): CommandOption {
  return option.text("DIR", `${what}. Default ${DEFAULT_OUT}.`, "i");
}

export function readIndexOption(input: CommandInput): string {
  return input.text("index") ?? DEFAULT_OUT;
}

/** The folder that was named. @throws {UsageError} for an address. @param remedy What to do then. */
export function readIndexFolder(input: CommandInput, remedy = ""): string {
  const folder = readIndexOption(input);
  if (isAddress(folder) || folder === "") throw new UsageError(`--index takes a folder here${remedy}`);
  return folder;
}

/** A whole number, or the default. @param least The smallest that is taken. @throws {UsageError}. */
export function readCount(input: CommandInput, option: string, fallback: number, least = 1): number {
  const text = input.text(option);
  if (text === undefined) return fallback;
  if (/^(?:0|[1-9]\d{0,5})$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`--${option} must be a whole number from ${least} to 999999, got ${JSON.stringify(text)}`);
}
