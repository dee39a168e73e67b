import { describe, expect, it } from "vitest";
import { authorizationServers, isPrivate } from "../../../src/surface/access/deployment.ts";

describe("a deployment", () => {
  it.each([undefined, "", " ", "public", "Public", " PUBLIC "])("is public with ACCESS=%j", (ACCESS) => {
    expect(isPrivate(ACCESS === undefined ? {} : { ACCESS })).toBe(false);
  });

  it.each(["private", "Private ", "privat", "publik", "true", "0"])(
    "is private with ACCESS=%j, spelt right or not",
    (ACCESS) => {
      expect(isPrivate({ ACCESS })).toBe(true);
    },
  );

  it("has the authorization servers that it lists", () => {
    expect(authorizationServers({})).toEqual([]);
    expect(authorizationServers({ AUTHORIZATION_SERVERS: " https://a.example , ,https://b.example/x" })).toEqual([
      "https://a.example",
      "https://b.example/x",
    ]);
  });
});
