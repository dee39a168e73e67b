import { describe, expect, it } from "vitest";
import { refuseOrigin } from "../../src/access/origins.ts";

const open = { allowedHosts: undefined, allowedOrigins: undefined };

/** A request as a server sees it: tests may set `Host`, browsers may not. */
function ask(url: string, headers: Record<string, string>): Request {
  const request = new Request(url);
  return { url: request.url, headers: new Headers(headers) } as Request;
}

describe("refuseOrigin", () => {
  it("lets programs through, which send no origin", () => {
    expect(refuseOrigin(ask("http://127.0.0.1:8787/mcp", { host: "127.0.0.1:8787" }), open)).toBeUndefined();
  });

  it("lets only pages of this machine call a server on this machine", () => {
    const from = (origin: string) =>
      refuseOrigin(ask("http://localhost:8787/", { host: "localhost:8787", origin }), open);
    expect(from("http://localhost:3000")).toBeUndefined();
    expect(from("http://[::1]:3000")).toBeUndefined();
    expect(from("https://evil.example")).toContain("may not call");
    expect(from("http://localhost.evil.example")).toContain("may not call");
    expect(from("null")).toContain("may not call");
  });

  it("refuses a host that is not in the list: a name that was pointed at this machine", () => {
    const settings = { ...open, allowedHosts: "localhost, 127.0.0.1,[::1]" };
    expect(refuseOrigin(ask("http://evil.example:8787/", { host: "evil.example:8787" }), settings)).toContain("host");
    expect(refuseOrigin(ask("http://x/", { host: "[::1]:8787" }), settings)).toBeUndefined();
    expect(refuseOrigin(ask("http://localhost:8787/", {}), settings)).toBeUndefined();
  });

  it("lets any page call a public deployment, or those of a list", () => {
    const from = (origin: string, allowedOrigins?: string) =>
      refuseOrigin(ask("https://docs.example.org/", { host: "docs.example.org", origin }), { ...open, allowedOrigins });
    expect(from("https://anywhere.example")).toBeUndefined();
    expect(from("https://anywhere.example", "*")).toBeUndefined();
    expect(from("https://anywhere.example", "www.example.org")).toContain("may not call");
    expect(from("https://www.example.org", "www.example.org")).toBeUndefined();
  });
});
