import { expect, it } from "vitest";
import { beginNow, keepSuccess } from "../../src/web/load-module.ts";

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

it("begins before anybody asks, and again for each who asks after the first", async () => {
  let loads = 0;
  const get = beginNow(async () => ++loads);
  expect(loads).toBe(1);
  expect(await get()).toBe(1);
  expect(await get()).toBe(2);
});

it("tells the first who asks that what was begun has failed", async () => {
  const outcomes = [Promise.reject(new Error("not there")), Promise.resolve("module")];
  let loads = 0;
  const get = beginNow(() => outcomes[loads++] as Promise<string>);
  await expect(get()).rejects.toThrow("not there");
  expect(await get()).toBe("module");
});
