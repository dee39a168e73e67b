/**
 * All routes, as the OpenAPI document shows them. A route that is added to the Worker has its entry in one of these lists; what stands here
 * and is no route, or the other way, fails a test (`test/worker/openapi.test.ts`).
 */
import type { DescribedRoute } from "./described-route.ts";
import { documentRoutes } from "./document-routes.ts";
import { indexRoutes } from "./index-routes.ts";
import { pageRoutes } from "./page-routes.ts";
import { pagefindRoute } from "./pagefind-route.ts";
import { programRoutes } from "./program-routes.ts";
import { searchRoutes } from "./search-routes.ts";

/** Routes in the order of the document. */
export const describedRoutes: readonly DescribedRoute[] = [
  ...searchRoutes,
  ...documentRoutes,
  ...indexRoutes,
  ...programRoutes,
  ...pageRoutes,
  pagefindRoute,
];
