export { foldedName } from "./folded-name.ts";
export { isKernelFileSystem } from "./kernel-file-system.ts";
export { isGitName, isGitSecret, isSecretLike, isSecretLikeName } from "./secret-like.ts";
