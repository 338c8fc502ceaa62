export { IgnoreRules } from "./ignore-rules.ts";
export { kindOf, OpenFolder } from "./open-folder.ts";
