/** Loaded with `--import`: appends the address of every module that is loaded to the file `NOTED_MODULES`. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import process from "node:process";

registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.NOTED_MODULES, `${url}\n`);
    return next(url, context);
  },
});
