import * as core from "@agent-service/agent-core/host";
import { secretsManagerSection } from "@agent-service/config";
import { a2aSection } from "./a2a-section.ts";
import { authSection } from "./auth-section.ts";
import { identitySection } from "./identity-section.ts";
import { instanceSection } from "./instance-section.ts";
import { settingsSection } from "./settings-section.ts";

/** Every section this service understands, in the order of the example file. */
export const SECTIONS = [
  identitySection,
  core.providersSection,
  core.modelSection,
  core.promptCacheSection,
  core.pruningSection,
  core.compactionSection,
  core.routingSection,
  core.subagentsSection,
  a2aSection,
  authSection,
  secretsManagerSection,
  core.egressSection,
  core.webSearchSection,
  core.toolsSection,
  core.enforcementSection,
  core.filesystemSection,
  core.projectsSection,
  core.onboardingSection,
  core.executeCodeSection,
  core.mcpSection,
  core.knowledgeSection,
  core.contextSection,
  core.memorySection,
  core.skillsSection,
  core.soulSection,
  core.checkpointSection,
  core.journalSection,
  core.limitsSection,
  core.backgroundSection,
  core.telemetrySection,
  core.promptsSection,
  core.watchesSection,
  core.goalSection,
  core.middlewareSection,
  core.tracingSection,
  core.sessionsSection,
  core.sharesSection,
  instanceSection,
  settingsSection,
] as const;
