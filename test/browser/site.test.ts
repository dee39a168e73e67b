/** The gate of real sites (`npm run prove:sites`) on the one site that needs no network: this project's documentation. */
import { chromium } from "playwright-core";
import { expect, inject, it } from "vitest";
import { OURS } from "../../bench/sites/browse.ts";
import { buildSite } from "../../bench/sites/build-site.ts";
import { findAll } from "../../bench/sites/compare.ts";
import { serveSite } from "../../bench/sites/host.ts";
import { own } from "../../bench/sites/plans/own.ts";
import { readQueries } from "../../bench/sites/site.ts";
import { readLinks, walk } from "../../bench/sites/steps.ts";
import { makeFolder } from "../support/temporary-folder.ts";

it("takes every step on a site, and finds pages by their titles", async () => {
  const { dist } = await buildSite(own, await makeFolder(), {
    given: undefined,
    tarball: () => Promise.reject(new Error("no plugin")),
  });
  const host = await serveSite(dist, own.base, new Map());
  const browser = await chromium.connect(inject("browserEndpoint"));
  try {
    const isOwnForm = await readLinks(dist, host.site);
    const visit = own.visit as NonNullable<typeof own.visit>;
    const steps = await walk({ browser, visit, host, isOwnForm, picture: async () => undefined });
    expect(steps).toEqual({ typed: "", followed: "", marked: "", phone: "", dark: "", language: "", version: "—" });
    const found = await findAll(OURS, {
      browser,
      start: visit.start,
      host,
      queries: await readQueries(own),
      isOwnForm,
    });
    expect(found).toMatchObject({ misses: [], strange: [] });
  } finally {
    await browser.close();
    await host.close();
  }
});
