import {
  checkpointSection,
  egressSection,
  journalSection,
  modelSection,
  providersSection,
} from "@agent-service/agent-core";
import { a2aSection } from "./a2a-section.ts";
import { authSection } from "./auth-section.ts";
import { identitySection } from "./identity-section.ts";
import { instanceSection } from "./instance-section.ts";

/** Every section this service understands, in the order of the example file. */
export const SECTIONS = [
  identitySection,
  providersSection,
  modelSection,
  a2aSection,
  authSection,
  egressSection,
  checkpointSection,
  journalSection,
  instanceSection,
] as const;
