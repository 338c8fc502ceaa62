/** The agent card's texts and skills, from settings (A3, A14, A17). */
import type { AgentCardInput } from "@agent-service/a2a-protocol";
import { isLoopbackHost, type Listener } from "../../access/index.ts";
import { packageVersion } from "../../cli/index.ts";
import type { ServerSettings } from "../../settings/index.ts";
import { DECLARED_EXTENSIONS } from "./extension-uris.ts";
import type { ServedSkill } from "./submission-options.ts";

/** The skill of a card that declares none. */
const CHAT = {
  id: "chat",
  name: "Chat",
  description: "Takes a request in plain language and works on it.",
  tags: ["chat"],
};

/** The card without its address. */
export function cardInput({ identity, a2a, credentials, environment }: ServerSettings): AgentCardInput {
  const described = a2a.skills.map(({ id, name, description, tags, examples, result_mime }) => ({
    id,
    name,
    description,
    tags,
    examples,
    ...(result_mime === undefined ? {} : { outputModes: [result_mime] }),
  }));
  return {
    name: identity.name,
    description: a2a.description,
    version: packageVersion(),
    skills: described.length > 0 ? described : [CHAT],
    extensions: DECLARED_EXTENSIONS,
    pushNotifications: true,
    security: {
      bearer: credentials.bearer !== undefined,
      ...(environment.apiKey === undefined ? {} : { apiKeyHeader: "X-API-Key" }),
    },
  };
}

/** The skills that `metadata.skill` may name: the configured ones. */
export function servedSkills({ a2a }: Pick<ServerSettings, "a2a">): ServedSkill[] {
  return a2a.skills.map(({ id, result_mime, output_schema }) =>
    output_schema === undefined
      ? { id }
      : { id, structured: { id, resultMime: result_mime ?? "application/json", outputSchema: output_schema } },
  );
}

/**
 * The address the card advertises: `A2A_PUBLIC_URL`, else the loopback address with the bound port. Bound to
 * one of the loopback names alone, it is that one: the other would not be reachable.
 */
export function advertisedAddress({ environment, bind }: ServerSettings, listener: Listener): string {
  const loopback = isLoopbackHost(bind.host) ? listener.url : `http://127.0.0.1:${listener.port}`;
  return `${environment.publicUrl ?? loopback}/a2a`;
}
