import type { AgentCard, AgentExtension, AgentProvider, AgentSkill, SecurityScheme } from "./agent-card.ts";

/** A skill as people write it: what has a sensible default may be left out. */
export type AgentSkillInput = Omit<AgentSkill, "tags"> & { readonly tags?: readonly string[] };

/** The agent's own part of a card; the rest follows from what is served. */
export interface AgentCardInput {
  readonly name: string;
  readonly description: string;
  /** The agent's own version. Default "0.0.0". */
  readonly version?: string;
  readonly skills?: readonly AgentSkillInput[];
  /** Media types taken and produced. Default: text/plain and application/json. */
  readonly defaultInputModes?: readonly string[];
  readonly defaultOutputModes?: readonly string[];
  readonly provider?: AgentProvider;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  /** Only extensions that are really implemented (A14). */
  readonly extensions?: readonly AgentExtension[];
  /** true where the executor takes push configs (B21). Default false. */
  readonly pushNotifications?: boolean;
  /** The credentials the host checks; a scheme is advertised only where one is configured. */
  readonly security?: {
    readonly bearer?: boolean;
    /** Name of the header that carries the key. */
    readonly apiKeyHeader?: string;
  };
}

/**
 * The card of an agent whose JSON-RPC endpoint is `url` (absolute), in the form that clients of either version read
 * (A3). It lists what is served and nothing else: both versions over JSON-RPC, 1.0 first,
 * and 1.0 over HTTP+JSON at the same address.
 */
export function hybridCard(input: AgentCardInput, url: string): AgentCard {
  const securitySchemes = securitySchemesOf(input);
  const schemes = Object.keys(securitySchemes);
  return {
    name: input.name,
    description: input.description,
    version: input.version ?? "0.0.0",
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [{ url, transport: "JSONRPC" }],
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    ...(input.provider && { provider: input.provider }),
    ...(input.documentationUrl !== undefined && { documentationUrl: input.documentationUrl }),
    ...(input.iconUrl !== undefined && { iconUrl: input.iconUrl }),
    capabilities: {
      streaming: true,
      pushNotifications: input.pushNotifications ?? false,
      stateTransitionHistory: false,
      extensions: input.extensions ?? [],
    },
    defaultInputModes: input.defaultInputModes ?? ["text/plain", "application/json"],
    defaultOutputModes: input.defaultOutputModes ?? ["text/plain", "application/json"],
    // 1.0 wants every required list to hold something.
    skills: (input.skills ?? []).map((skill) => ({ ...skill, tags: skill.tags?.length ? skill.tags : [skill.id] })),
    // Alternatives: any one of the schemes lets a caller in.
    ...(schemes.length > 0 && { securitySchemes, security: schemes.map((scheme) => ({ [scheme]: [] })) }),
    supportsAuthenticatedExtendedCard: true,
  };
}

function securitySchemesOf({ security }: AgentCardInput): Record<string, SecurityScheme> {
  return {
    ...(security?.bearer && { bearer: { type: "http", scheme: "bearer" } as const }),
    ...(security?.apiKeyHeader && { apiKey: { type: "apiKey", in: "header", name: security.apiKeyHeader } as const }),
  };
}
