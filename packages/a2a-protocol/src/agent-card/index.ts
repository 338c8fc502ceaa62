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
export { CARD_PATHS, cardFor, cardResponse, cardTextResponse, V1_CARD_PATH } from "./card-response.ts";
export type { AgentCardInput, AgentSkillInput } from "./hybrid-card.ts";
export { hybridCard } from "./hybrid-card.ts";
export type { V1AgentCard, V1SecurityScheme } from "./v1-card.ts";
export { v1Card } from "./v1-card.ts";
