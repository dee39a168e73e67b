/**
 * The runner of GitHub Actions: commands that it takes from what a step prints, files that it reads afterwards, and errors in
 * words of the Action.
 *
 * A runner looks for commands in everything that a step prints, and what is printed here holds names and messages out of
 * the repository. So commands are stopped while text is printed, and what goes into a command is escaped.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { toPrintable, UsageError } from "../../base/diagnostic.ts";

/** A line that GitHub shows at a place in a file. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  /** From the repository's top, with `/`; none where it is about no file. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

export interface Speaker {
  /** A line of text, which is never a command, whatever it holds. */
  readonly say: (text: string) => void;
  readonly annotate: (annotation: Annotation) => void;
  /** Keeps a value out of everything that is printed from now on. */
  readonly mask: (secret: string) => void;
  /** Commands are taken from others again. */
  readonly end: () => void;
}

/** A speaker that writes lines somewhere, commands stopped but for its own. */
export function createSpeaker(
  write: (line: string) => void,
  makeToken = () => randomBytes(24).toString("hex"),
): Speaker {
  let token: string | undefined;
  const stop = (): void => {
    if (token !== undefined) return;
    // A token holds for one stretch of text: it is printed at its end.
    token = makeToken();
    write(`::stop-commands::${token}`);
  };
  const resume = (): void => {
    if (token !== undefined) write(`::${token}::`);
    token = undefined;
  };
  return {
    say(text) {
      stop();
      for (const line of text.split(/\r\n|\r|\n/)) write(toPrintable(line));
    },
    annotate(annotation) {
      resume();
      write(formatAnnotation(annotation));
      stop();
    },
    mask(secret) {
      if (secret === "") return;
      resume();
      for (const line of secret.split(/\r\n|\r|\n/)) if (line !== "") write(`::add-mask::${escapeMessage(line)}`);
      stop();
    },
    end: resume,
  };
}

function formatAnnotation({ level, title, message, file, line, column }: Annotation): string {
  const properties = { file, line: positive(line), col: positive(column), title: toPrintable(title) };
  const written = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${level} ${written.join(",")}::${escapeMessage(
    message
      .split(/\r\n|\r|\n/)
      .map(toPrintable)
      .join("\n"),
  )}`;
}

function positive(number: number | undefined): number | undefined {
  return number !== undefined && number > 0 ? number : undefined;
}

/** As the runner takes it apart: `%`, then the ends of lines. */
function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

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

/** Says that the Action itself failed. The result is the error in words. */
export function sayCrash({ annotate, say }: Speaker, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  annotate({ level: "error", title: "Treeline failed", message });
  say(error instanceof Error ? (error.stack ?? message) : message);
  return message;
}

/** Inputs that are called like the options for the same. */
const SHARED = "bucket|config|corpus|fail-on|keep|shard|strict";
const CREDENTIALS: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: "the input access-key-id",
  AWS_SECRET_ACCESS_KEY: "the input secret-access-key",
};

/** The sentences of an error that a person can mend; undefined for others. */
export function describeMendable(error: unknown): string[] | undefined {
  if (error instanceof UsageError) return [nameInputs(error.message)];
  if (!(error instanceof InputError)) return undefined;
  const { message, nearest, example = "" } = error;
  return [
    ...nameInputs(message).split("\n"),
    ...(nearest.length > 0 ? [`did you mean: ${nearest.join(", ")}?`] : []),
    ...describeExample(example),
  ];
}

function nameInputs(message: string): string {
  return message
    .replace(new RegExp(`(?<![\\w-])--(${SHARED})(?![\\w-])`, "g"), "the input $1")
    .replace(/\bAWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY)\b/g, (name) => CREDENTIALS[name] ?? name);
}

/** Examples of commands say nothing here, and where `--bucket` takes an address the input takes a name. */
function describeExample(example: string): string[] {
  if (example === "" || example.startsWith("treeline ") || example.startsWith("--bucket ")) return [];
  return [`example: ${example.replace(new RegExp(`--(${SHARED}) `, "g"), "$1: ")}`];
}

/** Folder that paths of inputs start at. */
export function workspaceOf(environment: NodeJS.ProcessEnv): string {
  return resolve(environment["GITHUB_WORKSPACE"] || process.cwd());
}
