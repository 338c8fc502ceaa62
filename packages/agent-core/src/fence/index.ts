export { isGitName, isSecretLike, isSecretLikeName } from "../file-name/index.ts";
export { Fence, type FenceOptions, type FenceRequest } from "./fence.ts";
export { FenceRefusal, type FenceRefusalCode } from "./fence-refusal.ts";
export type { Holding } from "./folder.ts";
export type { Identity } from "./identity.ts";
export type { Access, ListedEntry, Listing, Located } from "./located.ts";
export { type Project, ProjectRegistry, type ProjectSource, type ReachableProject } from "./project.ts";
export { type ProjectDeclaration, projectAt } from "./project-at.ts";
export {
  hasUniqueNames,
  type ProjectsSectionValue,
  projectNameSchema,
  projectPathSchema,
  projectsSection,
} from "./projects-section.ts";
export { ProtectedPlaces } from "./protected-places.ts";
export { temporaryName } from "./replace-file.ts";
export { rootProblem } from "./root-problem.ts";
