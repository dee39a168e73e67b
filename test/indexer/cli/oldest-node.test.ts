import { describe, expect, it } from "vitest";
import { describeOldNode, OLDEST_NODE } from "../../../indexer/cli/oldest-node.ts";

describe("a version of Node", () => {
  it.each([OLDEST_NODE, "22.13.1", "22.20.0", "23.0.0", "24.21.0", "100.0.0"])("%s is new enough", (version) => {
    expect(describeOldNode(version)).toBeUndefined();
  });

  it.each(["22.12.9", "22.9.0", "20.20.2", "9.99.0"])("%s is too old, which is said with both versions", (version) => {
    expect(describeOldNode(version)).toBe(`treeline needs Node 22.13 or newer, this is ${version}`);
  });
});
