export { builtConsole } from "./built-console.ts";
export { type ConsoleFiles, consoleRoute } from "./console-route.ts";
export { consoleSecurityHeaders } from "./security-headers.ts";
