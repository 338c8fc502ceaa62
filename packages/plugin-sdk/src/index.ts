export * from "./tool/index.ts";
