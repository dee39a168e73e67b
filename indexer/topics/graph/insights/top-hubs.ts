/** Source files with the most imports out of and into them. Pure. */
import { findHubs } from "../find-hubs.ts";
import type { FileInsight } from "../insight.ts";

/** The insight. */
export const topHubs: FileInsight<"topHubs"> = {
  name: "topHubs",
  compute: ({ links }, settings) => findHubs(links, settings),
};
