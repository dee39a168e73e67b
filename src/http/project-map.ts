/**
 * Route `/llms.txt`: the map of all that the caller may see, for agents that read before they ask. Its links work without a tool: each
 * page's own, or this server's Markdown of it.
 */
import { readProjectMap } from "../core/docs/project-map.ts";
import { formatProjectMap, type MapLinks } from "../surface/render/project-map.ts";
import { ownPage } from "./addresses.ts";
import { FULL_TEXT_PATH } from "./full-text.ts";
import { OPENAPI_PATH } from "./openapi.ts";
import { answerFromIndex, type HttpServices } from "./respond.ts";

const WHERE = "/llms.txt";

/** The answer to `GET /llms.txt`: Markdown of 8 kB at most. */
export function answerProjectMap(request: Request, services: HttpServices): Promise<Response> {
  return answerFromIndex(request, services, {
    where: WHERE,
    run: async (reader) =>
      new Response(formatProjectMap(await readProjectMap(reader), listLinks(services.base)), {
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      }),
  });
}

function listLinks(base: string): MapLinks {
  return {
    // Brackets would end the link that holds it.
    textOf: (id) => `${ownPage(base, id).replaceAll("(", "%28").replaceAll(")", "%29")}?format=markdown`,
    optional: [
      { title: "All pages in one text", url: `${base}${FULL_TEXT_PATH}`, note: "Markdown, two megabytes at a time" },
      { title: "Connect an agent", url: `${base}/connect?format=markdown`, note: `the tools are at ${base}/mcp` },
      {
        title: "HTTP interface",
        url: `${base}${OPENAPI_PATH}`,
        note: `OpenAPI; ${base}/search?q=WORDS finds sections`,
      },
    ],
  };
}
