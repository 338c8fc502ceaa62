import { type ConnectionDraft, EMPTY_CONNECTION, problemOfAddress, suggestedId } from "../../connections/index.ts";

/** What a person entered in the wizard before anything is saved. */
export interface SetupDraft {
  /** The agent's name; blank keeps the one it has. */
  readonly name: string;
  /** The persona's text; blank leaves it as it is. */
  readonly soul: string;
  readonly connection: ConnectionDraft;
}

export const EMPTY_SETUP: SetupDraft = { name: "", soul: "", connection: EMPTY_CONNECTION };

/** The body of `POST /api/config/setup`. */
export interface SetupBody {
  readonly config: { readonly [section: string]: unknown };
  readonly soul?: string;
}

/** The first configuration, from a draft. `taken`: names of the existing connections. */
export function setupBody({ name, soul, connection }: SetupDraft, taken: readonly string[]): SetupBody {
  const baseUrl = connection.baseUrl.trim();
  const key = connection.apiKey.trim();
  const id = suggestedId({ ...connection, baseUrl }, taken);
  const { config, ...rest } = personaBody({ name, soul });
  return {
    config: {
      ...config,
      providers: [{ id, type: "compat-gateway", base_url: baseUrl, ...(key !== "" && { api_key: key }) }],
      model: { name: `${id}:${connection.model.trim()}` },
    },
    ...rest,
  };
}

/** Name and persona of a draft that was left before there is a connection. */
export function personaBody({ name, soul }: Pick<SetupDraft, "name" | "soul">): SetupBody {
  return {
    config: name.trim() === "" ? {} : { identity: { name: name.trim() } },
    ...(soul.trim() !== "" && { soul }),
  };
}

/** Why a draft cannot be finished; undefined: it can. */
export function problemOfSetup({ connection }: SetupDraft): string | undefined {
  const address = problemOfAddress(connection.baseUrl);
  if (address !== undefined) return address;
  return connection.model.trim() === "" ? "Choose a model." : undefined;
}
