import type { AgentCard, AgentInterface, AgentProvider, AgentSkill, SecurityScheme } from "./agent-card.ts";

/** A security scheme in the 1.0 form: its one key is the kind. */
export type V1SecurityScheme =
  | { readonly httpAuthSecurityScheme: { readonly scheme: string; readonly description?: string } }
  | {
      readonly apiKeySecurityScheme: {
        readonly location: "header";
        readonly name: string;
        readonly description?: string;
      };
    };

/** A card with 1.0's fields and no others (A2A 1.0.1 "Card"). */
export interface V1AgentCard
  extends Pick<
    AgentCard,
    "name" | "description" | "version" | "documentationUrl" | "iconUrl" | "defaultInputModes" | "defaultOutputModes"
  > {
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly provider?: AgentProvider;
  readonly capabilities: Pick<AgentCard["capabilities"], "streaming" | "pushNotifications" | "extensions"> & {
    readonly extendedAgentCard: boolean;
  };
  readonly skills: readonly AgentSkill[];
  readonly securitySchemes?: { readonly [name: string]: V1SecurityScheme };
  readonly securityRequirements?: readonly {
    readonly schemes: { readonly [scheme: string]: { readonly list: readonly string[] } };
  }[];
}

/** The pure 1.0 card with the content of a hybrid one (A3). */
export function v1Card(card: AgentCard): V1AgentCard {
  const { streaming, pushNotifications, extensions } = card.capabilities;
  return {
    name: card.name,
    description: card.description,
    version: card.version,
    supportedInterfaces: card.supportedInterfaces,
    ...(card.provider && { provider: card.provider }),
    ...(card.documentationUrl !== undefined && { documentationUrl: card.documentationUrl }),
    ...(card.iconUrl !== undefined && { iconUrl: card.iconUrl }),
    capabilities: {
      ...(streaming !== undefined && { streaming }),
      ...(pushNotifications !== undefined && { pushNotifications }),
      ...(extensions && { extensions }),
      extendedAgentCard: card.supportsAuthenticatedExtendedCard,
    },
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills,
    ...(card.securitySchemes && {
      securitySchemes: Object.fromEntries(
        Object.entries(card.securitySchemes).map(([name, scheme]) => [name, v1Scheme(scheme)]),
      ),
    }),
    ...(card.security && {
      securityRequirements: card.security.map((schemes) => ({
        schemes: Object.fromEntries(Object.entries(schemes).map(([name, scopes]) => [name, { list: scopes }])),
      })),
    }),
  };
}

function v1Scheme(scheme: SecurityScheme): V1SecurityScheme {
  const described = scheme.description === undefined ? undefined : { description: scheme.description };
  if (scheme.type === "apiKey") {
    return { apiKeySecurityScheme: { location: scheme.in, name: scheme.name, ...described } };
  }
  // The registered name of the scheme; comparison ignores case.
  return { httpAuthSecurityScheme: { scheme: "Bearer", ...described } };
}
