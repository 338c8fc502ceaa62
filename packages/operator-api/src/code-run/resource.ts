import { defineResource } from "../resource/index.ts";

/** Scripts have no routes: they are calls of the tool `execute_code`. */
export const codeRun = defineResource({ name: "codeRun", feature: "execute_code" });
