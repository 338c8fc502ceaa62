export { Console } from "./console.tsx";
export { type Find, type Finding, type Screen, screensFor } from "./screen.ts";
