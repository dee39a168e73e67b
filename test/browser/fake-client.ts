/** Answers that a test makes up, for a box in a page. */
import type { Page } from "playwright-core";
import type { BoxPage } from "./box.ts";

/** What was asked of it. */
export interface FakeQuestion {
  readonly query: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** How it answers. */
export interface FakeAnswers {
  /** Names of the pages that are found. */
  readonly pages?: readonly string[];
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Titles that come near to what was typed. */
  readonly near?: readonly string[];
  /** Thrown in place of an answer. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** Milliseconds before the answer; never where it is not a number. */
  readonly delay?: number | "never";
}

/** Gives the first box of the page (or the one that a selector finds) such answers. Called again, it answers otherwise. */
export async function fakeAnswers(page: Page, answers: FakeAnswers = {}, selector = "treeline-search"): Promise<void> {
  await page.evaluate(
    ([made, found]) => {
      const known = Reflect.get(window, "fake") as { asked: unknown[]; answers: FakeAnswers } | undefined;
      const state = known ?? { asked: [], answers: made };
      Reflect.set(window, "fake", state);
      state.answers = made;
      const box = document.querySelector(found) as Element & { fake?: boolean };
      if (box.fake) return;
      box.fake = true;
      const pageOf = (name: string) => ({
        ...{ id: name, url: `/${name}`, title: `Title ${name}`, description: "", collection: "docs", path: name },
        ...{ meta: {}, facets: {}, score: 1, sections: [] },
      });
      const search = async (query: string, { filters = {} } = {}) => {
        const { pages = ["a"], changes = {}, error, delay = 0 } = state.answers;
        state.asked.push({ query, filters });
        await new Promise((resolve) => {
          if (delay !== "never") setTimeout(resolve, delay);
        });
        if (error !== undefined) throw error;
        const shown = pages.map(pageOf);
        return {
          ...{ query, total: shown.length, pages: shown, facetCounts: {}, corrections: [], missingWords: [] },
          ...changes,
        };
      };
      const suggest = async () =>
        (state.answers.near ?? []).map((name) => ({
          ...{ url: `/${name}`, title: `Title ${name}`, kind: "title", documentId: `docs:${name}.md` },
        }));
      Reflect.set(box, "client", { prepare: async () => undefined, suggest, search });
    },
    [answers, selector] as const,
  );
}

/** What was asked since the page was opened. */
export function listAsked({ page }: Pick<BoxPage, "page">): Promise<readonly FakeQuestion[]> {
  return page.evaluate(() => (window as unknown as { fake: { asked: FakeQuestion[] } }).fake.asked);
}

/** Calls a method of the first box, or of the one that a selector finds. */
export function call(page: Page, method: "open" | "close", selector = "treeline-search"): Promise<void> {
  return page.evaluate(
    ([name, found]) => (document.querySelector(found) as unknown as Record<string, () => void>)[name]?.(),
    [method, selector] as const,
  );
}
