export { Console } from "./console.tsx";
export { PROMPTS_WAITING } from "./rail.tsx";
export { type Find, type Finding, type Screen, screensFor } from "./screen.ts";
