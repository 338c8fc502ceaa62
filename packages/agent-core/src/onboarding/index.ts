export { CLONE_LIMITS, type Clone, type CloneOptions, Cloning, readOrigin } from "./clone-repository.ts";
export { OnboardingError, type OnboardingErrorCode } from "./onboarding-error.ts";
export { type OnboardingSectionValue, onboardingSection } from "./onboarding-section.ts";
export {
  ONBOARDING_TOOLS,
  type OnboardingToolsOptions,
  onboardingTools,
  type RegisterProject,
} from "./onboarding-tools.ts";
export { parseRepositoryAddress, type RepositoryAddress } from "./repository-address.ts";
export { fitsPattern } from "./repository-pattern.ts";
