import { StartupError } from "../cli/index.ts";

/** The secrets this instance accepts. A blank or absent one is none (S1). */
export interface Credentials {
  /** `A2A_AUTH_TOKEN` / `auth.token`: the operator's bearer token. */
  readonly bearer?: string | undefined;
  /** The value of the variable `apiKeyVariable(agentName)`, expected in `X-API-Key`. */
  readonly apiKey?: string | undefined;
  /** `auth.federation_token` / `A2A_FEDERATION_TOKEN`: peers that reach only `/a2a` and `/v1`. */
  readonly federation?: string | undefined;
}

/** The environment variable that holds the API key: `my-agent` → `MY_AGENT_API_KEY` (B24). */
export function apiKeyVariable(agentName: string): string {
  return `${agentName.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_API_KEY`;
}

/** A secret in the form that is compared: without surrounding white space (no header can carry it), undefined when nothing is left. */
export function effectiveSecret(secret: string | undefined): string | undefined {
  const trimmed = secret?.trim();
  return trimmed ? trimmed : undefined;
}

/** True when neither bearer nor API key is set: everyone is the operator (B26 and B28). */
export function isOpen(credentials: Credentials): boolean {
  return effectiveSecret(credentials.bearer) === undefined && effectiveSecret(credentials.apiKey) === undefined;
}

/**
 * What is wrong with a set of credentials, or undefined. At boot the error is thrown; a reload that brings it is refused
 * while the running set stays (S1, S8).
 */
export function checkCredentials(credentials: Credentials): StartupError | undefined {
  const federation = effectiveSecret(credentials.federation);
  if (federation !== undefined) {
    if (isOpen(credentials)) {
      return new StartupError(
        "auth-incomplete",
        "a federation token is set but no operator credential: set A2A_AUTH_TOKEN (or the API key) too, or remove it",
      );
    }
    if (federation === effectiveSecret(credentials.bearer)) {
      return new StartupError(
        "auth-incomplete",
        "the federation token equals the operator's bearer token: peers holding it would be operators",
      );
    }
  }
  const unsendable = Object.entries(credentials).find(([, value]) => /[\0\r\n]/.test(effectiveSecret(value) ?? ""));
  if (unsendable) {
    return new StartupError(
      "auth-incomplete",
      `the ${unsendable[0]} secret holds a line break: no request could send it`,
    );
  }
  return undefined;
}
