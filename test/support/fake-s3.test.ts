import { describe, expect, it } from "vitest";
import { createFakeS3 } from "./fake-s3.ts";

const BUCKET = "https://example.org/bucket";
/** SHA-256 of nothing. */
const NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function request(name: string, init: RequestInit = {}): Request {
  return new Request(`${BUCKET}/${name}`, { ...init, headers: { "x-amz-content-sha256": NOTHING, ...init.headers } });
}

describe("the fake bucket", () => {
  it("writes under conditions alone, and refuses a body that is not what was signed", async () => {
    const { send, objects } = createFakeS3();
    const put = (headers: Record<string, string>): Promise<Response> => send(request("a", { method: "PUT", headers }));
    expect((await put({ "If-Match": '"x"' })).status).toBe(412);
    const first = await put({ "If-None-Match": "*" });
    expect(first.status).toBe(200);
    expect((await put({ "If-None-Match": "*" })).status).toBe(412);
    expect((await put({ "If-Match": first.headers.get("ETag") ?? "" })).status).toBe(200);
    expect((await put({ "x-amz-content-sha256": "0" })).status).toBe(400);
    expect((await send(request("a"))).status).toBe(200);
    expect((await send(request("b"))).status).toBe(404);
    expect([...objects.keys()]).toEqual(["a"]);
  });

  it("has faults in the order in which they are given", async () => {
    const { send, objects, faults, requests } = createFakeS3();
    faults.push("before", "after", { status: 503 }, "cut");
    const put = (): Promise<Response> => send(request("a", { method: "PUT" }));
    await expect(put()).rejects.toThrow(TypeError);
    expect(objects.size).toBe(0);
    await expect(put()).rejects.toThrow(TypeError);
    expect(objects.size).toBe(1);
    expect((await put()).status).toBe(503);
    await expect((await send(request("a"))).arrayBuffer()).rejects.toThrow("terminated");
    expect((await send(request("a"))).status).toBe(200);
    expect(requests).toHaveLength(5);
  });

  it("lists what begins with a prefix, up to a delimiter, a few at a time", async () => {
    const { send, objects } = createFakeS3();
    for (const name of ["a", "b/1", "b/2", "b/c/3", "d"]) objects.set(name, { bytes: new Uint8Array(), modifiedAt: 0 });
    const list = async (query: string): Promise<string> => (await send(request(`?list-type=2${query}`))).text();
    const namesOf = (xml: string): string[] =>
      [...xml.matchAll(/<(?:Key|Prefix)>([^<]+)</g)].map(([, name = ""]) => name);
    expect(namesOf(await list(""))).toEqual(["a", "b%2F1", "b%2F2"]);
    expect(namesOf(await list("&continuation-token=3"))).toEqual(["b%2Fc%2F3", "d"]);
    expect(namesOf(await list("&delimiter=%2F"))).toEqual(["a", "b%2F", "d"]);
    expect(namesOf(await list("&delimiter=%2F&prefix=b%2F"))).toEqual(["b%2F", "b%2F1", "b%2F2", "b%2Fc%2F"]);
  });
});
