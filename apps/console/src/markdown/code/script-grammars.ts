import type { Grammars } from "./grammar.ts";

/** Grammars of languages that are run as they are. */
export const SCRIPT_GRAMMARS: Grammars = {
  bash: () => import("shiki/langs/bash.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  powershell: () => import("shiki/langs/powershell.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  r: () => import("shiki/langs/r.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
};
