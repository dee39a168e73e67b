/** The ten sites of the gate, in the order of the table, and two variants. */
import { developersReference } from "./plans/developers-reference.ts";
import { docusaurus } from "./plans/docusaurus.ts";
import { hugo } from "./plans/hugo.ts";
import { mdbook } from "./plans/mdbook.ts";
import { mkdocs } from "./plans/mkdocs.ts";
import { nextra } from "./plans/nextra.ts";
import { own } from "./plans/own.ts";
import { postgresql } from "./plans/postgresql.ts";
import { sphinx } from "./plans/sphinx.ts";
import { starlight } from "./plans/starlight.ts";
import { starlightRouter, starlightSearch } from "./plans/starlight-extras.ts";
import { vitepress } from "./plans/vitepress.ts";
import type { Site } from "./site.ts";

/** All of them. */
export const SITES: readonly Site[] = [
  vitepress,
  starlight,
  docusaurus,
  nextra,
  hugo,
  mkdocs,
  sphinx,
  mdbook,
  postgresql,
  developersReference,
  starlightRouter,
  starlightSearch,
];

/** A small one that needs no network, with `--only own`. */
export const OWN: Site = own;
