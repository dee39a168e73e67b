/**
 * A Worker with the endpoint of Treeline and one tool, `echo`, that reads nothing: what the protocol costs without an
 * answer to look for. `npm run prove:load` measures rates against it.
 */

import { answerMcp } from "../src/mcp/endpoint.ts";
import { defineTool } from "../src/mcp/tool.ts";
import { createSigningKeys } from "../src/surface/access/signing-keys.ts";
import { fakeReader } from "../test/support/fake-reader.ts";

const echoTool = defineTool({
  name: "echo",
  description: "Says what it is told.",
  parameters: { text: { kind: "text", required: true } },
  example: { text: "hello" },
  run: async ({ text }) => ({
    summary: text,
    forms: [{ detail: "all", blocks: () => [], json: () => ({ text }) }],
  }),
});

const reader = fakeReader();
const signingKeys = createSigningKeys("echo");

export default {
  fetch(request: Request): Promise<Response> | Response {
    if (request.method !== "POST") return new Response("ok");
    return answerMcp(
      request,
      { tools: [echoTool], aliases: {} },
      {
        withReader: async (run) => ({ value: await run(reader) }),
        signingKeys,
        now: 0,
        report: (problem) => console.error(JSON.stringify({ level: "error", ...problem })),
      },
    );
  },
};
