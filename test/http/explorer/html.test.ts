import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html } from "../../../src/http/explorer/html.ts";
import { runs } from "../../support/runs.ts";

describe("the template of pages", () => {
  it("escapes texts, in lists and attributes too", () => {
    const hostile = `<script>"'&`;
    expect(html`<a title="${hostile}">${[hostile, [hostile]]}</a>`.toString()).toBe(
      `<a title="&lt;script&gt;&quot;&#39;&amp;">${"&lt;script&gt;&quot;&#39;&amp;".repeat(2)}</a>`,
    );
  });

  it("takes over pieces of a page as they are, and nothing for what is not there", () => {
    expect(html`${html`<b>${1}</b>`}${false}${undefined}${""}`.toString()).toBe("<b>1</b>");
  });

  it("strips what nobody sees", () => {
    expect(html`a${"\u202eb\u200bc\u0000"}`.toString()).toBe("abc");
  });

  it("lets no text begin a tag or end an attribute", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(html`${text}`.toString()).not.toMatch(/[<>"']/);
      }),
      { numRuns: runs(200) },
    );
  });
});
