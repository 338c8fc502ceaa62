export { probeSandbox } from "./probe-sandbox.ts";
export type { Sandbox, SandboxPolicy, SandboxState } from "./sandbox.ts";
