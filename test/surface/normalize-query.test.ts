import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeQuery } from "../../src/surface/insights.ts";

const MAX_QUESTION_LENGTH = 120;

describe("normalizeQuery", () => {
  it.each([
    ["  How do I   Install\ttreeline?", "how do i install treeline"],
    ["ＰＯＳＴ /sessions", "post sessions"],
    ["c++ vs c#", "c++ vs c#"],
    ['"exact phrase" -draft', "exact phrase draft"],
    ["Übergröße ändern!", "übergröße ändern"],
    ["next.js 15.1.2 upgrade", "next.js 15.1.2 upgrade"],
    ["createServerComponentClient options", "createservercomponentclient options"],
    ["error TS2345", "error ts2345"],
    ["primary key of a table", "primary key of a table"],
    ["bearer token format", "bearer token format"],
    ["http 404 in 2026", "http 404 in 2026"],
    ["npm-run-all in parallel", "npm-run-all in parallel"],
  ])("writes %j as %j", (written, kept) => {
    expect(normalizeQuery(written)).toBe(kept);
  });

  it.each([
    "",
    " ?! ",
    "x".repeat(MAX_QUESTION_LENGTH + 1),
    "mail jane.doe@example.com",
    "jane@example",
    "https://user:pw@host/",
    "call +49 170 1234567",
    "4111 1111 1111 1111",
    "10.11.12.130 refused",
    "password=hunter2",
    "API key: abc",
    "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "set SIGNING_KEY='abc'",
    '{"client_secret_id": "abc"}',
    "Authorization Bearer abcdefghijklmnop fails",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi",
    "sk-proj-abc",
    "why is tl_4kD9 refused",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "why is 9f86d081884c7d65 wrong",
    "Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg==",
    "/home/jane/notes.md",
    "C:\\Users\\jane\\x",
  ])("drops %j", (written) => {
    expect(normalizeQuery(written)).toBeUndefined();
  });

  it("gives what it gave when it is asked again, and never too much", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (written) => {
        const kept = normalizeQuery(written);
        if (kept === undefined) return;
        expect(kept.length).toBeLessThanOrEqual(MAX_QUESTION_LENGTH);
        expect(normalizeQuery(kept)).toBe(kept);
      }),
    );
  });

  it("keeps no address of mail, long number or key, wherever it stands", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const secret = fc.oneof(
      fc.emailAddress(),
      fc.stringMatching(/^[0-9]{6,16}$/),
      fc.uuid(),
      fc.stringMatching(/^ghp_[A-Za-z0-9]{36}$/),
      fc.stringMatching(/^[0-9a-f]{31}[0-9]$/),
    );
    fc.assert(
      fc.property(fc.array(word), secret, fc.array(word), (before, hidden, after) => {
        expect(normalizeQuery([...before, hidden, ...after].join(" "))).toBeUndefined();
      }),
    );
  });
});
