export { Console } from "./console.tsx";
export { type Screen, screensFor } from "./screen.ts";
