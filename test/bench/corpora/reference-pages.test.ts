import { expect, it } from "vitest";
import { makeReferencePages } from "../../../bench/corpora/reference-pages.ts";

const DECLARATIONS = `/**
 * <p>Describes a <code>host</code> that is dedicated to one account, see <a href="x">hosts</a>.</p>
 *          <note><p>A host costs money while it runs, whether or not something runs on it.</p></note>
 * @public
 */
export interface Host {
    /**
     * <p>The name of the host, as it was given when it was allocated.</p>
     * @public
     */
    Name?: string | undefined;
}
/**
 * @public
 */
export interface Empty {
    Name?: string | undefined;
}
`;

it("makes a page of a documented interface and none of a bare one", () => {
  expect(makeReferencePages(DECLARATIONS)).toEqual([
    {
      name: "Host",
      text: `# Host

Describes a \`host\` that is dedicated to one account, see hosts.

A host costs money while it runs, whether or not something runs on it.

## Name

Type: \`string\`

The name of the host, as it was given when it was allocated.
`,
    },
  ]);
});
