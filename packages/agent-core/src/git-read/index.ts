export { findRepository, type Repository } from "./find-repository.ts";
export { configValue } from "./git-config.ts";
export { GitError, type GitErrorCode } from "./git-error.ts";
export { type GitPrograms, QUIET_GIT } from "./git-programs.ts";
export { PrivateRepository, type PrivateRepositoryOptions, removeLeftReadings } from "./private-repository.ts";
export { readSmallFile } from "./read-small-file.ts";
export {
  DIFF_LIMITS,
  type DiffFile,
  type WorkTreeDiff,
  type WorkTreeDiffOptions,
  workTreeDiff,
} from "./work-tree-diff.ts";
export {
  convertedPaths,
  type IndexedFile,
  isIgnored,
  listWorkTree,
  readBlobs,
  readIndexed,
  type WorkTree,
  type WorkTreeList,
} from "./work-tree-list.ts";
