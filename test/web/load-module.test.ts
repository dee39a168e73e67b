import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadModule } from "../../src/web/load-module.ts";

/** Longer than one address is waited for. */
const LATE_MS = 10_000;

/** What a module waits for. */
interface Gate {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (cause: Error) => void;
}

/** What modules under test have asked for, by their addresses: whether they come is for the test to say. */
const asked = new Map<string, Gate>();
let modules = 0;

/** Address of a module that nobody has asked for, at the end of which `?` changes nothing. */
function nameModule(): string {
  const text = `export const address = import.meta.url; await globalThis.waitForTest(import.meta.url); // ${++modules}`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/** The module asked for under an address, which begins once the runtime has read it. */
async function gateOf(address: string): Promise<Gate> {
  await vi.waitFor(() => expect([...asked.keys()]).toContain(address));
  return asked.get(address) as Gate;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("waitForTest", (address: string) => {
    const promise = new Promise<void>((resolve, reject) => {
      // Once there is a promise to keep beside them.
      queueMicrotask(() => asked.set(address, { promise, resolve, reject }));
    });
    return promise;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  asked.clear();
});

describe("loadModule", () => {
  it("gives the module, and leaves no timer behind", async () => {
    const name = nameModule();
    const loading = loadModule(name);
    (await gateOf(name)).resolve();
    expect(await loading).toMatchObject({ address: name });
    expect(vi.getTimerCount()).toBe(0);
    expect(asked.size).toBe(1);
  });

  it("goes on to the next address by itself where the first does not come, for all who wait", async () => {
    const name = nameModule();
    const all = [loadModule(name), loadModule(name)];
    await gateOf(name);
    vi.advanceTimersByTime(LATE_MS);
    (await gateOf(`${name}?`)).resolve();
    for (const one of await Promise.all(all)) expect(one).toMatchObject({ address: `${name}?` });
    expect([...asked.keys()]).toEqual([name, `${name}?`]);
  });

  it("takes what comes first of both", async () => {
    const name = nameModule();
    const loading = loadModule(name);
    const first = await gateOf(name);
    vi.advanceTimersByTime(LATE_MS);
    await gateOf(`${name}?`);
    first.resolve();
    expect(await loading).toMatchObject({ address: name });
    // From then on nobody waits for the other, nor asks for a third.
    vi.advanceTimersByTime(LATE_MS);
    expect(await loadModule(name)).toMatchObject({ address: name });
    expect([...asked.keys()]).toEqual([name, `${name}?`]);
  });

  it("ends where neither comes, so that it can be tried again", async () => {
    const name = nameModule();
    const loading = expect(loadModule(name)).rejects.toThrow("the module does not come");
    await gateOf(name);
    vi.advanceTimersByTime(LATE_MS);
    await gateOf(`${name}?`);
    vi.advanceTimersByTime(LATE_MS);
    await loading;
    const again = loadModule(name);
    (await gateOf(`${name}??`)).resolve();
    expect(await again).toMatchObject({ address: `${name}??` });
  });

  it("asks once more at once after a failure, and each time under an address that has not failed", async () => {
    const name = nameModule();
    const loading = expect(loadModule(name)).rejects.toThrow("second");
    (await gateOf(name)).reject(new Error("first"));
    (await gateOf(`${name}?`)).reject(new Error("second"));
    await loading;
    const again = loadModule(name);
    (await gateOf(`${name}??`)).resolve();
    await again;
    // Nor after the time of all: each has failed before.
    vi.advanceTimersByTime(LATE_MS);
    expect(await loadModule(name)).toMatchObject({ address: `${name}??` });
  });

  it("does not go back to an address that failed when one before it fails late", async () => {
    const name = nameModule();
    const loading = expect(loadModule(name)).rejects.toThrow("second");
    const first = await gateOf(name);
    vi.advanceTimersByTime(LATE_MS);
    (await gateOf(`${name}?`)).reject(new Error("second"));
    await loading;
    first.reject(new Error("first"));
    await expect(first.promise).rejects.toThrow();
    const again = loadModule(name);
    (await gateOf(`${name}??`)).resolve();
    await again;
    expect([...asked.keys()]).toEqual([name, `${name}?`, `${name}??`]);
  });
});
