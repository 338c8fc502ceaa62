export { SCRIPT_COMMANDS } from "./script.ts";
export { scripted } from "./scripted.ts";
