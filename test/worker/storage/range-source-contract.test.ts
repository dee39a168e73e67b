import { env, exports } from "cloudflare:workers";
import { createPatience } from "../../../src/surface/patience.ts";
import { createR2Source } from "../../../src/worker/storage/index-files.ts";
import { describeRangeSource } from "../../core/index/range-source-contract.ts";

/** A runtime that starts takes longer than any storage. */
const patience = createPatience({ isUnbounded: () => true });

describeRangeSource("the range source over R2, through the entrypoint that serves index files", async () => ({
  source: createR2Source({ files: () => exports.IndexFiles, bucket: () => env.INDEX, patience }),
  put: async (file, bytes) => {
    await env.INDEX.put(file, bytes);
  },
  remove: (file) => env.INDEX.delete(file),
}));
