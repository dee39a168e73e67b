/** Answers that a test makes up, for a box in a page. */
import type { Page } from "playwright-core";
import type { BoxPage } from "./box.ts";

/** What was asked of it. */
export interface FakeQuestion {
  readonly query: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Language and version of the page. */
  readonly prefer: Readonly<Record<string, string>>;
}

/** How it answers. */
export interface FakeAnswers {
  /** Names of the pages that are found. */
  readonly pages?: readonly string[];
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Where it is asked briefly it gives so many pages without sections; a whole answer has one of this heading on each page. */
  readonly brief?: { readonly pages: number; readonly heading: string };
  /** Counts that come behind a brief answer, and with a whole one. */
  readonly counts?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Titles that come near to what was typed, of the collection `docs`. */
  readonly near?: readonly string[];
  /** Heading of a section of each page, which its answers have at once. */
  readonly section?: string;
  /** Excerpt of each section. */
  readonly excerpt?: readonly { readonly text: string; readonly marked: boolean }[];
  /** Titles of pages to begin with, each in a folder of that name. */
  readonly home?: readonly string[];
  /** Thrown in place of an answer. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** The answer waits until `releaseAnswers`. */
  readonly held?: boolean;
}

interface FakeState {
  readonly asked: FakeQuestion[];
  /** What it was asked for near titles of. */
  readonly suggested: string[];
  /** What gives answers that wait. */
  readonly held: (() => void)[];
  answers: FakeAnswers;
}

/** Gives the first box of the page (or the one that a selector finds) such answers. Called again, it answers otherwise. */
export async function fakeAnswers(page: Page, answers: FakeAnswers = {}, selector = "treeline-search"): Promise<void> {
  await page.evaluate(
    ([made, found]) => {
      const known = Reflect.get(window, "fake") as FakeState | undefined;
      const state: FakeState = known ?? { asked: [], suggested: [], held: [], answers: made };
      Reflect.set(window, "fake", state);
      state.answers = made;
      const box = document.querySelector(found) as Element & { fake?: boolean };
      if (box.fake) return;
      box.fake = true;
      const pageOf = (name: string, heading?: string) => ({
        ...{ id: name, url: `/${name}`, title: `Title ${name}`, description: "", collection: "docs", path: name },
        ...{ meta: {}, facets: {}, score: 1 },
        sections: heading === undefined ? [] : [sectionOf(name, heading)],
      });
      const sectionOf = (name: string, heading: string) => ({
        ...{ nodeId: `${name}#${heading}`, url: `/${name}#${heading}`, heading, headingPath: [heading] },
        ...{ excerpt: state.answers.excerpt ?? [], score: 1 },
      });
      const search = async (query: string, { filters = {}, prefer = {}, brief: isAskedBriefly = false } = {}) => {
        const { pages = ["a"], changes = {}, counts = {}, brief, error, held = false } = state.answers;
        state.asked.push({ query, filters, prefer });
        await new Promise<void>((resolve) => {
          if (held) state.held.push(resolve);
          else setTimeout(resolve);
        });
        if (error !== undefined) throw error;
        const isBrief = brief !== undefined && isAskedBriefly;
        const shown = pages
          .slice(0, isBrief ? brief.pages : undefined)
          .map((name) => pageOf(name, state.answers.section ?? (isBrief ? undefined : brief?.heading)));
        return {
          ...{ query, total: shown.length, pages: shown, corrections: [], missingWords: [] },
          ...{ facetCounts: isBrief ? {} : counts },
          ...(isBrief && { isBrief, laterCounts: Promise.resolve(counts) }),
          ...changes,
        };
      };
      const suggest = async (query: string, { collections = [] as readonly string[] } = {}) => {
        state.suggested.push(query);
        if (collections.length > 0 && !collections.includes("docs")) return [];
        return (state.answers.near ?? []).map((name) => ({
          ...{ url: `/${name}`, title: `Title ${name}`, kind: "title", documentId: `docs:${name}.md` },
        }));
      };
      const home = async () =>
        (state.answers.home ?? []).map((name) => ({
          ...{ url: `/${name}/`, title: `Title ${name}`, kind: "title", documentId: `docs:${name}` },
        }));
      Reflect.set(box, "client", { prepare: async () => undefined, suggest, search, home });
    },
    [answers, selector] as const,
  );
}

/** Gives the answers that wait so far. */
export function releaseAnswers(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { held } = Reflect.get(window, "fake") as FakeState;
    for (const give of held.splice(0)) give();
  });
}

/** What was asked since the page was opened. */
export function listAsked({ page }: Pick<BoxPage, "page">): Promise<readonly FakeQuestion[]> {
  return page.evaluate(() => (Reflect.get(window, "fake") as FakeState).asked);
}

/** What it was asked for near titles of since the page was opened. */
export function listSuggested({ page }: Pick<BoxPage, "page">): Promise<readonly string[]> {
  return page.evaluate(() => (Reflect.get(window, "fake") as FakeState).suggested);
}

/** Calls a method of the first box, or of the one that a selector finds. */
export function call(page: Page, method: "open" | "close", selector = "treeline-search"): Promise<void> {
  return page.evaluate(
    ([name, found]) => (document.querySelector(found) as unknown as Record<string, () => void>)[name]?.(),
    [method, selector] as const,
  );
}
