export { documentTools } from "./feature.ts";
