/** The runner that tests play understands expressions as GitHub does. */
import { describe, expect, it } from "vitest";
import { evaluate, fillTemplate, holds } from "./workflow-expressions.ts";

const context = { inputs: { mode: "Auto", empty: "" }, steps: { a: { outputs: { "save-cache": "true" } } } };
const functions = { success: () => true, always: () => true, format: (text: unknown) => `<${String(text)}>` };

describe("an expression", () => {
  it.each([
    ["inputs.mode == 'auto'", true],
    ["inputs.mode != 'auto'", false],
    ["steps.a.outputs.save-cache == 'true' && inputs.empty == ''", true],
    ["steps.b.outputs.anything == ''", true],
    ["steps.b.outputs.anything || 'else'", "else"],
    ["!(inputs.empty || false)", true],
    ["format('it''s')", "<it's>"],
    ["1 == '1'", true],
  ])("%s", (expression, value) => {
    expect(evaluate(expression, context, functions)).toBe(value);
  });

  it.each(["unknown.a", "inputs", "hashFiles('a')", "inputs.mode ==", "inputs.mode = 'a'", "1 2", "'open"])(
    "%s is an error",
    (expression) => {
      expect(() => evaluate(expression, context, functions)).toThrow();
    },
  );

  it("fills text, and decides a step only where nothing failed before", () => {
    expect(fillTemplate(`a \${{ inputs.mode }} b \${{ steps.no.thing }}`, context, functions)).toBe("a Auto b ");
    expect(holds("inputs.empty == ''", context, { ...functions, success: () => false })).toBe(false);
    expect(holds("always()", context, { ...functions, success: () => false })).toBe(true);
    expect(holds(`\${{ inputs.empty == "" }}`.replaceAll(`"`, "'"), context, functions)).toBe(true);
  });
});
