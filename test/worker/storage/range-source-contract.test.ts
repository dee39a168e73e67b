import { env, exports } from "cloudflare:workers";
import { createR2Source } from "../../../src/storage/r2-source.ts";
import { describeRangeSource } from "../../core/index/range-source-contract.ts";

describeRangeSource("the range source over R2, through the entrypoint that serves index files", async () => ({
  source: createR2Source({ files: () => exports.IndexFiles, bucket: () => env.INDEX }),
  put: async (file, bytes) => {
    await env.INDEX.put(file, bytes);
  },
  remove: (file) => env.INDEX.delete(file),
}));
