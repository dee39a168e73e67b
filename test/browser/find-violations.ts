/** What axe finds in a page, shadow roots included. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Impacts that a page must not have. */
const SEVERE = ["serious", "critical"];

/** Looks at a page in state after state. */
export interface Inspector {
  /** Collect what is wrong in this state, in light and in dark. */
  readonly look: (state: string) => Promise<void>;
  /** What was found so far, with the names of state and colours. */
  readonly seen: readonly string[];
}

/** Looks at a page that has both colours. */
export function inspect(page: Page): Inspector {
  const seen: string[] = [];
  return {
    seen,
    async look(state) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        // All but contrast is the same in the dark.
        const found = await findViolations(page, colorScheme === "dark" ? ["color-contrast"] : undefined);
        seen.push(...found.map((violation) => `${state}, ${colorScheme}: ${violation}`));
      }
    },
  };
}

/** Severe violations as `rule: elements`; none in a good page. @param rules Names of rules; all where there are none. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Evaluated by the debugger, so that no policy of the page keeps it out.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate((names) => {
    const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
    return inPage.run(document, { resultTypes: ["violations"], ...(names && { runOnly: [...names] }) });
  }, rules);
  return violations
    .filter(({ impact }) => SEVERE.includes(impact ?? ""))
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
    );
}
