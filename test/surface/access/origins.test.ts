import { describe, expect, it } from "vitest";
import { readableBy, refuseOrigin } from "../../../src/surface/access/deployment.ts";

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

  it("lets only pages of its own and of a list call a private deployment", () => {
    const from = (origin: string, allowedOrigins?: string, url = "https://docs.example.org/") =>
      refuseOrigin(ask(url, { host: new URL(url).host, origin }), { ...open, allowedOrigins, isPrivate: true });
    expect(from("https://anywhere.example")).toContain("may not call");
    expect(from("null")).toContain("may not call");
    expect(from("https://docs.example.org")).toBeUndefined();
    expect(from("http://docs.example.org")).toContain("may not call");
    expect(from("https://docs.example.org:8443")).toContain("may not call");
    expect(from("https://docs.example.org.evil.example")).toContain("may not call");
    expect(from("https://www.example.org", "www.example.org")).toBeUndefined();
    expect(from("https://docs.example.org", "www.example.org")).toBeUndefined();
    expect(from("https://www.example.org.evil.example", "www.example.org")).toContain("may not call");
    expect(from("http://localhost:3000", undefined, "http://127.0.0.1:8787/")).toBeUndefined();
    expect(from("https://evil.example", undefined, "http://127.0.0.1:8787/")).toContain("may not call");
  });
});

describe("readableBy", () => {
  it("is anybody where any page may call, else the page that did", () => {
    const request = ask("https://docs.example.org/", { origin: "https://www.example.org" });
    const program = ask("https://docs.example.org/", {});
    expect(readableBy(request, open)).toBe("*");
    expect(readableBy(request, { ...open, allowedOrigins: "www.example.org" })).toBe("https://www.example.org");
    expect(readableBy(request, { ...open, isPrivate: true })).toBe("https://www.example.org");
    expect(readableBy(program, { ...open, isPrivate: true })).toBeUndefined();
    expect(readableBy(program, { ...open, allowedOrigins: "*", isPrivate: true })).toBe("*");
  });
});
