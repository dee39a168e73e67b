import { expect, it } from "vitest";
import common from "../../../schemas/tools/common.schema.json" with { type: "json" };
import indexStatus from "../../../schemas/tools/index-status.schema.json" with { type: "json" };
import { describedRoutes } from "../../../src/http/api/routes.ts";
import { answerStatus } from "../../../src/http/status.ts";
import { callTool } from "../../../src/mcp/call.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../../src/surface/access/signing-keys.ts";
import { buildPages } from "../../support/build-index.ts";
import { servicesOf } from "../../support/http-services.ts";
import { findMisfits } from "../../support/json-schema.ts";

/** A collection with all that a root can say of one. */
const SAYS = { repository: "https://github.com/o/r", commit: "c0ffee", folder: "packages/a", plain: true };

async function openDescribed() {
  const opened = await (await buildPages({ "a.md": "# A\n\nText.\n" })).open();
  for (const collection of opened.reader.collections) Object.assign(collection, SAYS);
  return opened;
}

it("/status says of a collection what its description has", async () => {
  const opened = await openDescribed();
  const services = { ...servicesOf(opened), openPublished: async () => opened.reader, corpus: "", checks: [] };
  const answer: unknown = await (await answerStatus(services)).json();
  expect(answer).toMatchObject({ collections: [SAYS] });
  const route = describedRoutes.find(({ operationId }) => operationId === "getStatus");
  const schema = route?.answers[200]?.["application/json"];
  if (schema === undefined) throw new Error("/status has no schema");
  expect(schema.safeParse(answer).error).toBeUndefined();
});

it("index_status says of a collection what its schema has", async () => {
  const services = { ...servicesOf(await openDescribed()), signingKeys: createSigningKeys("test") };
  const { structuredContent } = await callTool(offeredTools(), "index_status", { format: "json" }, services);
  expect(structuredContent).toMatchObject({ collections: [SAYS] });
  const files = { "index-status.schema.json": indexStatus, "common.schema.json": common };
  expect(findMisfits(structuredContent, "index-status.schema.json", files)).toEqual([]);
});
