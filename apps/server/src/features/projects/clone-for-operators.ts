import { type Cloning, EgressError, OnboardingError, type OnboardingErrorCode } from "@agent-service/agent-core/host";
import { Problem, type ProjectsService } from "@agent-service/operator-api";
import type { ProjectRegistrar } from "./projects-service.ts";

const STATUS: { readonly [Code in OnboardingErrorCode]: number } = {
  "onboarding.invalid": 400,
  "onboarding.refused": 400,
  "onboarding.too-large": 400,
  "onboarding.failed": 502,
  "onboarding.timeout": 504,
};

/** Clones on an operator's request, under the same settings and bounds as the agent's tool (F22). */
export function cloneFor(registrar: ProjectRegistrar, cloning: Cloning): ProjectsService["clone"] {
  return async ({ repo, name, write }, signal) => {
    try {
      const { path, repository } = await cloning.clone(repo, name, signal);
      return await registrar.add({ path, name, write, scm_repo: repository.path });
    } catch (error) {
      throw problemOf(error);
    }
  };
}

function problemOf(error: unknown): unknown {
  const text = error instanceof Error ? `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.` : "";
  if (error instanceof OnboardingError) return new Problem(STATUS[error.code], text, { cause: error });
  if (error instanceof EgressError) return new Problem(error.retryable ? 502 : 400, text, { cause: error });
  return error;
}
