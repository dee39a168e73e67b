import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findPlaces } from "../../../../indexer/base/installation.ts";
import { projectRoot } from "../../../support/environment.ts";

describe("findPlaces", () => {
  it("keeps everything in Treeline's own folder, never in the one that is served", () => {
    for (const place of Object.values(findPlaces("/srv/docs")))
      expect(place.startsWith(resolve(projectRoot, ".treeline"))).toBe(true);
  });

  it("gives a folder the same places however it is written, and another folder others", () => {
    expect(findPlaces("/srv/x/../docs/")).toEqual(findPlaces("/srv/docs"));
    expect(findPlaces("/srv/docs").index).not.toBe(findPlaces("/srv/other/docs").index);
  });
});
