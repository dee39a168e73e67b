import { describe, expect, it } from "vitest";
import { readBatch } from "../../src/mcp/endpoint.ts";

const request = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const CANCEL = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };

describe("readBatch", () => {
  it("passes what is no batch as it is", () => {
    for (const body of [undefined, null, 7, "[]", {}, request(1), CANCEL]) expect(readBatch(body)).toEqual({ body });
  });

  it("passes a batch of requests, notifications and responses, and whatever else is in it", () => {
    const batch = [
      request(1),
      request("1"),
      { jsonrpc: "2.0", method: "x" },
      { jsonrpc: "2.0", id: 1, result: {} },
      null,
      7,
    ];
    expect(readBatch(batch)).toEqual({ body: batch });
    expect(readBatch([])).toEqual({ body: [] });
  });

  it("leaves cancellations out of a batch that holds anything else", () => {
    expect(readBatch([CANCEL, request(1), CANCEL])).toEqual({ body: [request(1)] });
    expect(readBatch([CANCEL, CANCEL])).toEqual({ body: [CANCEL, CANCEL] });
  });

  it("refuses more messages than it takes, and an id twice", () => {
    const ids = Array.from({ length: 10 }, (_, at) => at);
    expect(readBatch(ids.map(request))).toHaveProperty("body");
    expect(readBatch([...ids, "more"].map(request))).toHaveProperty("refusal");
    expect(readBatch([1, 2, 1].map(request))).toHaveProperty("refusal");
  });
});
