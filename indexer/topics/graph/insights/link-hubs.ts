/** Pages with the most links out of and into them. Pure. */
import { findHubs } from "../find-hubs.ts";
import type { PageInsight } from "../insight.ts";

/** The insight. */
export const linkHubs: PageInsight<"linkHubs"> = {
  name: "linkHubs",
  compute: ({ links }, settings) => findHubs(links, settings),
};
