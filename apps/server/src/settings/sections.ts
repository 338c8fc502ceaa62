import {
  backgroundSection,
  checkpointSection,
  compactionSection,
  egressSection,
  enforcementSection,
  journalSection,
  limitsSection,
  middlewareSection,
  modelSection,
  promptCacheSection,
  promptsSection,
  providersSection,
  pruningSection,
  routingSection,
  subagentsSection,
  telemetrySection,
  toolsSection,
  tracingSection,
  webSearchSection,
} from "@agent-service/agent-core/host";
import { secretsManagerSection } from "@agent-service/config";
import { a2aSection } from "./a2a-section.ts";
import { authSection } from "./auth-section.ts";
import { identitySection } from "./identity-section.ts";
import { instanceSection } from "./instance-section.ts";
import { settingsSection } from "./settings-section.ts";

/** Every section this service understands, in the order of the example file. */
export const SECTIONS = [
  identitySection,
  providersSection,
  modelSection,
  promptCacheSection,
  pruningSection,
  compactionSection,
  routingSection,
  subagentsSection,
  a2aSection,
  authSection,
  secretsManagerSection,
  egressSection,
  webSearchSection,
  toolsSection,
  enforcementSection,
  checkpointSection,
  journalSection,
  limitsSection,
  backgroundSection,
  telemetrySection,
  promptsSection,
  middlewareSection,
  tracingSection,
  instanceSection,
  settingsSection,
] as const;
