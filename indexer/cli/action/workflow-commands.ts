/**
 * Lines that a runner of GitHub Actions takes as commands, and text that it must not take as such.
 *
 * A runner looks for commands in everything that a step prints, and what is printed here holds names and messages out of
 * the repository. So commands are stopped while text is printed, and what goes into a command is escaped.
 */
import { randomBytes } from "node:crypto";
import { toPrintable } from "../../base/printable.ts";

/** How bad an annotation is. */
export type AnnotationLevel = "error" | "warning" | "notice";

/** A line that GitHub shows at a place in a file. */
export interface Annotation {
  readonly level: AnnotationLevel;
  readonly title: string;
  readonly message: string;
  /** From the repository's top, with `/`; none where it is about no file. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

/** Prints lines and commands. */
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
export function createSpeaker(write: (line: string) => void, makeToken = randomToken): Speaker {
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

/** The command that makes an annotation. */
export function formatAnnotation({ level, title, message, file, line, column }: Annotation): string {
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

function randomToken(): string {
  return randomBytes(24).toString("hex");
}
