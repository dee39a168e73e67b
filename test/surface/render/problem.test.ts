import { describe, expect, it } from "vitest";
import { FormatError, InputError, StaleGenerationError } from "../../../src/core/errors.ts";
import { formatProblem, NO_INDEX, toProblem } from "../../../src/surface/render/problem.ts";

describe("toProblem", () => {
  it("hands on what the caller did wrong, with names and example", () => {
    const problem = toProblem(new InputError("no such thing", ["thing"], "get(1)"));
    expect(formatProblem(problem)).toBe("no such thing\nDid you mean: thing?\nExample: get(1)");
  });

  it.each([new FormatError("pointer", { code: "truncated", need: 9, have: 1 }), new StaleGenerationError("00ff.pack")])(
    "tells the caller to publish again and only the log what is damaged: %s",
    (error) => {
      const problem = toProblem(error);
      expect(problem).toMatchObject({ kind: "damaged-index", detail: error.message });
      expect(formatProblem(problem)).toContain("publish it");
      expect(formatProblem(problem)).not.toContain(error.message);
    },
  );

  it("keeps the details of a bug, causes included, out of the answer", () => {
    const problem = toProblem(new Error("secret path /home/x", { cause: new Error("deeper") }));
    expect(formatProblem(problem)).not.toContain("secret");
    expect(problem).toMatchObject({ kind: "internal", detail: expect.stringContaining("deeper") });
    expect(toProblem("thrown text")).toMatchObject({ kind: "internal", detail: "thrown text" });
  });

  it("says what to do where nothing is published", () => {
    expect(formatProblem(NO_INDEX)).toContain("npm start");
    expect(formatProblem(NO_INDEX)).toContain("treeline build");
  });
});
