import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

describe("the Workers runtime", () => {
  it("is what Worker tests run in", () => {
    expect(navigator.userAgent).toBe("Cloudflare-Workers");
  });

  it("gives tests the Worker with the bindings of wrangler.toml", async () => {
    expect(await env.INDEX.list()).toMatchObject({ objects: [] });
    const response = await exports.default.fetch("http://localhost/health");
    expect(await response.json()).toEqual({ status: "ok", index: "unknown" });
  });
});
