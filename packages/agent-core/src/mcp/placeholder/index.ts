export { type ChildEnvironmentSource, childEnvironment } from "./child-environment.ts";
export { type ForbiddenVariables, isFixedForbiddenVariable, isForbiddenVariable } from "./forbidden-variable.ts";
export {
  type PlaceholderSource,
  type PlaceholderUse,
  placeholdersOf,
  type ResolvedTarget,
  resolveTarget,
} from "./resolve-target.ts";
export { secretTextsOf } from "./secret-texts.ts";
export { type StoredTarget, takeSecretsOut } from "./take-secrets-out.ts";
export { targetWarnings } from "./target-warnings.ts";
export { hasPlaceholder } from "./template.ts";
