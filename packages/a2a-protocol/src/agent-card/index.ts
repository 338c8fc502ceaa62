export type {
  AgentCapabilities,
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  SecurityScheme,
} from "./agent-card.ts";
export type { CardResponseOptions } from "./card-response.ts";
export { CARD_PATHS, cardResponse } from "./card-response.ts";
export type { AgentCardInput, AgentSkillInput } from "./hybrid-card.ts";
export { hybridCard } from "./hybrid-card.ts";
