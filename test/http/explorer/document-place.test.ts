import { expect, it } from "vitest";
import { makeDocumentId } from "../../../src/core/docs/node-id.ts";
import { writePlace } from "../../../src/http/explorer/page.ts";

it.each([
  ["guide #1/100%/a.md", "docs:guide #1/100%/"],
  ["a.md", "docs:"],
  ["guide/a.md", "docs:guide/"],
])("the place of %s leads to a folder that there is, and shows its name", (path, name) => {
  const id = makeDocumentId("docs", path);
  const place = `${writePlace({ id, collection: "docs", path }, "")}`;
  expect(place).toContain(`<bdi>${name}</bdi></a><bdi>a.md</bdi>`);
  const [, href = ""] = /href="([^"]+)"/.exec(place) ?? [];
  const asked = new URL(href, "https://x.example").searchParams.get("folder") ?? "";
  expect(id).toBe(`${asked}a.md`);
});
