export { type ComposeModule, programOver } from "./program.ts";
