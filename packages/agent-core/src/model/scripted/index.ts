export { scripted } from "./scripted.ts";
