/**
 * The storage of this deployment: its bucket, its cached entrypoint and one memory for each isolate.
 */
import { env, exports } from "cloudflare:workers";
import { keepApart, LruCache } from "../../core/index/value-cache.ts";
import { CorpusList, type ListedBucket } from "../../surface/corpus-list.ts";
import { createPatience, isEndless } from "../../surface/patience.ts";
import { Corpora } from "./corpora.ts";
import { MAX_CACHE_BYTES, MAX_KEPT_BYTES } from "./generations.ts";
import { createR2Source, type FileServer, readObject } from "./index-files.ts";
import { inflateRaw } from "./inflate.ts";

const patience = createPatience({ isUnbounded: () => isEndless(Reflect.get(env, "TIME_LIMITS")) });

/** The corpora of this deployment's bucket. @param isName Whether a corpus may have this name. */
export function openCorpora(isName: (name: string) => boolean): Corpora {
  return new Corpora({
    sourceOf: (prefix) => createR2Source({ files: findFileServer, bucket: findBucket, patience }, prefix),
    inflate: inflateRaw,
    cache: keepApart(new LruCache(MAX_CACHE_BYTES), new LruCache(MAX_KEPT_BYTES)),
    list: new CorpusList({ bucket: findPatientBucket, isName }),
  });
}

/** An object of this deployment's bucket that is no index file, see `readObject`. */
export function readBucketObject(name: string, knownEtag?: string): ReturnType<typeof readObject> {
  return patience(name, () => readObject(findBucket(), name, knownEtag));
}

/** What listing corpora needs of the bucket. */
function findPatientBucket(): ListedBucket {
  const bucket = findBucket();
  return {
    list: (options) => patience("its listing", () => bucket.list(options)),
    head: (name) => patience(name, () => bucket.head(name)),
  };
}

function findBucket(): R2Bucket {
  const bucket: unknown = Reflect.get(env, "INDEX");
  if (bucket === undefined) throw new Error("the R2 binding INDEX is missing in wrangler.toml");
  return bucket as R2Bucket;
}

function findFileServer(): FileServer {
  const files: unknown = Reflect.get(exports, "IndexFiles");
  if (files === undefined) throw new Error("the Worker's entry does not export IndexFiles");
  return files as FileServer;
}
