import { expect, it } from "vitest";
import { keepSuccess } from "../../src/element/keep-success.ts";

it("loads once for all who ask, and again after a failure", async () => {
  const outcomes = [Promise.reject(new Error("not there")), Promise.resolve("module")];
  let loads = 0;
  const get = keepSuccess(() => outcomes[loads++] as Promise<string>);
  const [first, second] = [get(), get()];
  await expect(first).rejects.toThrow("not there");
  expect(second).toBe(first);
  expect(await Promise.all([get(), get()])).toEqual(["module", "module"]);
  expect(await get()).toBe("module");
  expect(loads).toBe(2);
});
