import { describe, expect, it } from "vitest";
import { formatAccessFile } from "../../../src/surface/access/access-file.ts";
import { createAccessReader, type ObjectReader } from "../../../src/surface/access/keys.ts";

/** How old the file may be, and how old while it cannot be read. */
const [TTL_MS, GRACE_MS] = [60_000, 600_000];

/** A bucket whose `access.json` a test changes. */
function makeBucket() {
  const state = { text: fileOf("one") as string | undefined, version: 1, reads: 0, bodies: 0, isDown: false };
  const errors: unknown[] = [];
  const read: ObjectReader = async (name, knownEtag) => {
    expect(name).toBe("access.json");
    state.reads++;
    await Promise.resolve();
    if (state.isDown) throw new Error("the bucket is down");
    if (state.text === undefined) return undefined;
    if (knownEtag === `v${state.version}`) return "unchanged";
    state.bodies++;
    return { bytes: new TextEncoder().encode(state.text), etag: `v${state.version}` };
  };
  const readKeys = createAccessReader(read);
  const consumersAt = async (now: number): Promise<readonly string[] | undefined> =>
    (await readKeys(now, (error) => errors.push(error)))?.map(({ key }) => key.consumer);
  const put = (text: string | undefined): void => {
    state.text = text;
    state.version++;
  };
  return { state, errors, consumersAt, put };
}

function fileOf(...consumers: readonly string[]): string {
  const createdAt = "2026-01-01T00:00:00Z";
  const keys = consumers.map((consumer, at) => ({ id: `0000000${at}`, consumer, hash: `${at}`.repeat(64), createdAt }));
  return formatAccessFile({ keys });
}

describe("the keys of a deployment", () => {
  it("are read once a minute, and their bytes only when they changed", async () => {
    const { state, consumersAt, put } = makeBucket();
    expect(await consumersAt(0)).toEqual(["one"]);
    put(fileOf("two"));
    expect(await consumersAt(TTL_MS - 1)).toEqual(["one"]);
    expect(state.reads).toBe(1);
    expect(await consumersAt(TTL_MS)).toEqual(["two"]);
    expect(await consumersAt(2 * TTL_MS)).toEqual(["two"]);
    expect(state).toMatchObject({ reads: 3, bodies: 2 });
  });

  it("are none where there is no file, and none again when it is taken away", async () => {
    const { consumersAt, put } = makeBucket();
    put(undefined);
    expect(await consumersAt(0)).toEqual([]);
    put(fileOf("one"));
    expect(await consumersAt(TTL_MS)).toEqual(["one"]);
    put(undefined);
    expect(await consumersAt(2 * TTL_MS)).toEqual([]);
  });

  it("hold for ten minutes while the bucket does not answer, then nobody is let in, then they are back", async () => {
    const { state, errors, consumersAt } = makeBucket();
    expect(await consumersAt(0)).toEqual(["one"]);
    state.isDown = true;
    expect(await consumersAt(TTL_MS)).toEqual(["one"]);
    expect(await consumersAt(GRACE_MS - 1)).toEqual(["one"]);
    expect(await consumersAt(GRACE_MS)).toBeUndefined();
    expect(errors.length).toBeGreaterThan(0);
    state.isDown = false;
    expect(await consumersAt(GRACE_MS + 60_000)).toEqual(["one"]);
  });

  it("are not asked for with every request while the bucket does not answer", async () => {
    const { state, consumersAt } = makeBucket();
    state.isDown = true;
    for (let now = 0; now < 1000; now++) expect(await consumersAt(now)).toBeUndefined();
    expect(state.reads).toBe(1);
  });

  it.each(["{", '{"version":1,"keys":[{}]}', '{"version":2,"keys":[]}', "\ufffe"])(
    "are those from before where the file became %j",
    async (text) => {
      const { errors, consumersAt, put } = makeBucket();
      expect(await consumersAt(0)).toEqual(["one"]);
      put(text);
      expect(await consumersAt(TTL_MS)).toEqual(["one"]);
      expect(await consumersAt(GRACE_MS + 1)).toBeUndefined();
      expect(String(errors[0])).toContain("access.json");
    },
  );

  it("are there for all requests that come at once, the first ones and those after a long sleep", async () => {
    const { consumersAt } = makeBucket();
    expect(await Promise.all([0, 0, 1].map(consumersAt))).toEqual([["one"], ["one"], ["one"]]);
    const late = GRACE_MS * 10;
    expect(await Promise.all([late, late, late + 1].map(consumersAt))).toEqual([["one"], ["one"], ["one"]]);
  });
});
