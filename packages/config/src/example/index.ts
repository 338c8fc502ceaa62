export { type InstallResult, installExample } from "./install-example.ts";
export { renderExample } from "./render-example.ts";
