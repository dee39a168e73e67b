/**
 * What the conformance suite of MCP asks a server to have for its tests: tools, resources and prompts with fixed answers.
 * Their names and answers are the suite's (`@modelcontextprotocol/conformance`); nothing of it is part of the product.
 */
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A WAV file without samples. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/** Of the tests alone: what is signed with it means nothing. */
const states = createRequestStateCodec<string>({ key: "a key of the conformance tests, of 32 bytes at least" });

type Given = Readonly<Record<string, unknown>>;
type CallFixture = (given: Given, context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

const JSON_SCHEMA_TOOL: Tool = {
  name: "json_schema_2020_12_tool",
  description: "Tool with JSON Schema 2020-12 features",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

const CALLS: Readonly<Record<string, CallFixture>> = {
  test_simple_text: async () => text("This is a simple text response for testing."),
  test_image_content: async () => ({ content: [{ type: "image", data: PNG, mimeType: "image/png" }] }),
  test_audio_content: async () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  test_embedded_resource: async () => ({
    content: [resource("test://embedded-resource", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: async () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PNG, mimeType: "image/png" },
      resource("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
    ],
  }),
  test_error_handling: async () => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  }),
  async test_tool_with_progress(_, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return text("done");
  },
  async test_logging_tool(_, { mcpReq }) {
    await mcpReq.log("info", "a message for who asks for it");
    return text("done");
  },
  test_streaming_elicitation: async (_, context) => askName(context),
  async test_missing_capability(_, { mcpReq }) {
    if (mcpReq.inputResponses?.question !== undefined) return text("done");
    return inputRequired({ inputRequests: { question: sample("Anything?") } });
  },
  test_input_required_result_elicitation: async (_, context) => askName(context),
  async test_input_required_result_sampling(_, { mcpReq }) {
    if (mcpReq.inputResponses?.capital_question !== undefined) return text("It is Paris.");
    return inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?") } });
  },
  async test_input_required_result_list_roots(_, { mcpReq }) {
    const roots = mcpReq.inputResponses?.client_roots;
    if (roots !== undefined) return text(JSON.stringify(roots));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirm,
  test_input_required_result_tampered_state: confirm,
  async test_input_required_result_multiple_inputs(_, context) {
    const responses = context.mcpReq.inputResponses ?? {};
    const state = await readState(context);
    if (state === "all" && ["user_name", "greeting", "client_roots"].every((key) => key in responses)) {
      return text("done");
    }
    return inputRequired({
      inputRequests: {
        user_name: ask("What is your name?", "name"),
        greeting: sample("Generate a greeting"),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint("all"),
    });
  },
  async test_input_required_result_multi_round(_, context) {
    const state = await readState(context);
    const responses = context.mcpReq.inputResponses ?? {};
    if (state === "two" && "step2" in responses) return text("done");
    return state === "one" && "step1" in responses
      ? inputRequired({
          inputRequests: { step2: ask("Step 2: What is your favorite color?", "color") },
          requestState: await states.mint("two"),
        })
      : inputRequired({
          inputRequests: { step1: ask("Step 1: What is your name?", "name") },
          requestState: await states.mint("one"),
        });
  },
  async test_input_required_result_capabilities(_, { mcpReq }) {
    const declared = Object(Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY)) as object;
    const requests: Record<string, InputRequest> = {};
    if ("sampling" in declared) requests.sampled = sample("Anything?");
    if ("elicitation" in declared) requests.asked = ask("Anything?", "answer");
    return Object.keys(requests).length === 0 ? text("nothing to ask") : inputRequired({ inputRequests: requests });
  },
  json_schema_2020_12_tool: async () => text("done"),
};

/** The tools. */
export const FIXTURE_TOOLS: readonly Tool[] = Object.keys(CALLS).map((name) =>
  name === JSON_SCHEMA_TOOL.name
    ? JSON_SCHEMA_TOOL
    : { name, description: "A fixture of the conformance suite", inputSchema: { type: "object" } },
);

/** A call of one of the tools; undefined for any other. */
export function callFixture(
  name: string,
  given: Given,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> | undefined {
  return Object.hasOwn(CALLS, name) ? CALLS[name]?.(given, context) : undefined;
}

/** The resources that are listed. */
export const FIXTURE_RESOURCES: readonly Resource[] = [
  { uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
];

/** One of the resources; undefined for any other. */
export function readFixture(uri: string): ReadResourceResult | undefined {
  if (uri === "test://static-text") {
    return { contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }] };
  }
  if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: PNG }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const value = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(value) }] };
}

/** The prompts. */
export const FIXTURE_PROMPTS: readonly Prompt[] = [
  { name: "test_simple_prompt", description: "Without arguments" },
  {
    name: "test_prompt_with_arguments",
    description: "With two arguments",
    arguments: [
      { name: "arg1", required: true },
      { name: "arg2", required: true },
    ],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "With a resource",
    arguments: [{ name: "resourceUri", required: true }],
  },
  { name: "test_prompt_with_image", description: "With an image" },
  { name: "test_input_required_result_prompt", description: "Asks before it answers" },
];

/** One of the prompts; undefined for any other. */
export function getFixture(
  name: string,
  given: Readonly<Record<string, string>>,
  { mcpReq }: ServerContext,
): GetPromptResult | InputRequiredResult | undefined {
  switch (name) {
    case "test_simple_prompt":
      return prompt({ type: "text", text: "This is a simple prompt for testing." });
    case "test_prompt_with_arguments":
      return prompt({ type: "text", text: `Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'` });
    case "test_prompt_with_embedded_resource":
      return prompt(resource(given.resourceUri ?? "", "Embedded resource content for testing."), {
        type: "text",
        text: "Please process the embedded resource above.",
      });
    case "test_prompt_with_image":
      return prompt(
        { type: "image", data: PNG, mimeType: "image/png" },
        { type: "text", text: "Please analyze the image above." },
      );
    case "test_input_required_result_prompt":
      return Object.keys(mcpReq.inputResponses ?? {}).length > 0
        ? prompt({ type: "text", text: "done" })
        : inputRequired({ inputRequests: { user_context: ask("What context?", "context") } });
    default:
      return undefined;
  }
}

function text(value: string): CallToolResult {
  return { content: [{ type: "text", text: value }] };
}

function resource(uri: string, value: string, mimeType = "text/plain") {
  return { type: "resource" as const, resource: { uri, mimeType, text: value } };
}

type PromptContent = GetPromptResult["messages"][number]["content"];

function prompt(...contents: readonly PromptContent[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: "user", content })) };
}

function ask(message: string, key: string): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [key]: { type: "string" } }, required: [key] },
  });
}

function sample(question: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });
}

function askName({ mcpReq }: ServerContext): CallToolResult | InputRequiredResult {
  const name = acceptedContent(mcpReq.inputResponses, "user_name")?.name;
  return typeof name === "string"
    ? text(`Hello, ${name}!`)
    : inputRequired({ inputRequests: { user_name: ask("What is your name?", "name") } });
}

async function confirm(_: Given, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
  const state = await readState(context);
  if (state === "confirm" && context.mcpReq.inputResponses?.confirm !== undefined) return text("state-ok");
  return inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({
        message: "Please confirm",
        requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
      }),
    },
    requestState: await states.mint("confirm"),
  });
}

/** What the client gives back, as it was signed. @throws {ProtocolError} where it was changed. */
async function readState(context: ServerContext): Promise<string | undefined> {
  const given: unknown = context.mcpReq.requestState();
  if (typeof given !== "string") return undefined;
  return states.verify(given, context).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
  });
}
