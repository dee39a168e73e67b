/** What goes wrong on a page while somebody uses it. */
import type { Page } from "playwright-core";

/** Collected as it happens. */
export interface Watched {
  readonly problems: string[];
  /** Notes what is not as it should be. */
  readonly expect: (isRight: boolean, what: string) => void;
}

/**
 * Watch the console and the errors of a page.
 *
 * @param patience How long its steps may wait, in milliseconds.
 * @param kinds Messages of the console that are problems, by their type.
 */
export function watchPage(page: Page, patience: number, kinds: readonly string[]): Watched {
  const problems: string[] = [];
  page.setDefaultTimeout(patience);
  page.on("console", (message) => {
    const { url: at } = message.location();
    if (kinds.includes(message.type()) && !isIcon(at)) problems.push(`console: ${message.text()} ${at}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  return {
    problems,
    expect: (isRight, what) => {
      if (!isRight) problems.push(what);
    },
  };
}

/** Sites that are built for a proof have no icon. */
function isIcon(address: string): boolean {
  return /\/favicon\.(?:ico|svg)$/.test(address);
}
