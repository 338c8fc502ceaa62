export {
  CONNECTION_TYPES,
  type ConnectionRegistry,
  DEFAULT_GATEWAY_URL,
  type DeclaredConnection,
  leadWithScripted,
  type ModelSectionValue,
  modelSection,
  type ProvidersSectionValue,
  providersSection,
  type ResolvedConnection,
  resolveConnections,
  type SubscriptionCredential,
} from "./model/index.ts";
export {
  type CheckpointSectionValue,
  checkpointSection,
  type JournalSectionValue,
  journalSection,
} from "./task/index.ts";
