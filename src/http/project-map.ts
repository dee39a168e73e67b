/**
 * Route `/llms.txt`: the map of all that the caller may see, for agents that read before they ask.
 */
import { readProjectMap } from "../core/map/project-map.ts";
import { formatProjectMap } from "../render/project-map.ts";
import { answerFromIndex, type HttpServices } from "./respond.ts";

const WHERE = "/llms.txt";

/** The answer to `GET /llms.txt`: Markdown of 8 kB at most. */
export function answerProjectMap(request: Request, services: HttpServices): Promise<Response> {
  return answerFromIndex(request, services, {
    where: WHERE,
    run: async (reader) =>
      new Response(formatProjectMap(await readProjectMap(reader)), {
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      }),
  });
}
