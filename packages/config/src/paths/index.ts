export { makeFolder } from "./make-folder.ts";
export { expandHome, isWritableFolder, type PathOptions, resolvePaths, type ServicePaths } from "./resolve-paths.ts";
export { resolveStore, type StoreOptions } from "./resolve-store.ts";
