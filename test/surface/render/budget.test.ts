import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitToBudget } from "../../../src/surface/render/render.ts";

type Fittable = ReturnType<typeof fitToBudget>["form"];

/** A form whose items cost `each` tokens. */
function form(count: number, each: number, keepAtLeast?: number): Fittable {
  return { count, keepAtLeast, measure: (shown) => shown * each };
}

describe("fitToBudget", () => {
  it("takes the fullest form that fits whole", () => {
    const [full, titles] = [form(10, 100), form(10, 10)];
    expect(fitToBudget([full, titles], 1000)).toEqual({ form: full, shown: 10, fits: true });
    expect(fitToBudget([full, titles], 999)).toEqual({ form: titles, shown: 10, fits: true });
  });

  it("cuts the end of a form that allows it before it takes a barer one", () => {
    const [titles, counts] = [form(10, 10, 3), form(1, 5)];
    expect(fitToBudget([titles, counts], 45)).toEqual({ form: titles, shown: 4, fits: true });
    expect(fitToBudget([titles, counts], 25)).toEqual({ form: counts, shown: 1, fits: true });
  });

  it("shows as much of the last form as fits when none does", () => {
    const only = form(10, 10);
    expect(fitToBudget([only], 35)).toEqual({ form: only, shown: 3, fits: true });
    expect(fitToBudget([only], 5)).toEqual({ form: only, shown: 0, fits: true });
  });

  it("does not produce a form that it does not need", () => {
    const produced: string[] = [];
    const lazily = function* (): Generator<Fittable> {
      produced.push("full");
      yield form(1, 1);
      produced.push("titles");
      yield form(1, 1);
    };
    fitToBudget(lazily(), 10);
    expect(produced).toEqual(["full"]);
  });

  it("never exceeds the budget while the last form can be emptied, whatever the forms are", () => {
    const anyForm = fc
      .record({ count: fc.nat(20), each: fc.nat(50), keep: fc.option(fc.nat(10), { nil: undefined }) })
      .map(({ count, each, keep }) => form(count, each, keep));
    fc.assert(
      fc.property(fc.array(anyForm, { minLength: 1, maxLength: 4 }), fc.nat(500), (forms, budget) => {
        const fitted = fitToBudget(forms, budget);
        expect(fitted.form.measure(fitted.shown)).toBeLessThanOrEqual(budget);
        expect(fitted.fits).toBe(true);
      }),
    );
  });
});
