/**
 * Agent cards: B11, A2A 1.0.1 and 0.3.0 "Card". A3: the well-known paths serve one hybrid
 * document that clients of either version read.
 */

/** A way to reach the agent, in the 1.0 shape. */
export interface AgentInterface {
  /** Absolute address. */
  readonly url: string;
  readonly protocolBinding: "JSONRPC" | "GRPC" | "HTTP+JSON" | (string & {});
  /** `0.3`, `1.0`. */
  readonly protocolVersion: string;
  /** Opaque routing id that 1.0 clients echo. */
  readonly tenant?: string;
}

/** An extension of the protocol that the agent implements. */
export interface AgentExtension {
  readonly uri: string;
  readonly description?: string;
  /** true: a client that does not activate it is refused with -32008. */
  readonly required?: boolean;
  readonly params?: { readonly [key: string]: unknown };
}

/** A skill as the card lists it: what callers may ask for, with the media types it reads and writes. */
export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

/** Who runs the agent. */
export interface AgentProvider {
  readonly organization: string;
  readonly url: string;
}

/** What the agent's endpoints can do. */
export interface AgentCapabilities {
  readonly streaming?: boolean;
  readonly pushNotifications?: boolean;
  readonly stateTransitionHistory?: boolean;
  readonly extensions?: readonly AgentExtension[];
}

/** A security scheme in the 0.3 (OpenAPI) form; only the two kinds this product checks. */
export type SecurityScheme =
  | { readonly type: "http"; readonly scheme: "bearer"; readonly description?: string }
  | { readonly type: "apiKey"; readonly in: "header"; readonly name: string; readonly description?: string };

/** The hybrid card: all of 0.3's fields, and 1.0's `supportedInterfaces`. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  /** Version of the agent, not of the protocol. */
  readonly version: string;
  /** 0.3: version of the protocol served at `url`. */
  readonly protocolVersion: string;
  /** 0.3: the main endpoint. */
  readonly url: string;
  /** 0.3: transport of the main endpoint. */
  readonly preferredTransport: string;
  /** 0.3: every endpoint, the main one included. */
  readonly additionalInterfaces: readonly { readonly url: string; readonly transport: string }[];
  /** 1.0: every endpoint, the preferred one first. */
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly capabilities: AgentCapabilities;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly provider?: AgentProvider;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly securitySchemes?: { readonly [name: string]: SecurityScheme };
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[];
  readonly supportsAuthenticatedExtendedCard: boolean;
}
