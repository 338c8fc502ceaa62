/** Loaded before a program: writes the address of each module that it loads, a line each, to the file of `MODULES_FILE`. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = process.env.MODULES_FILE ?? "";
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
