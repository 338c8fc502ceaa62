export * from "./settings/index.ts";
export * from "./tool/index.ts";
