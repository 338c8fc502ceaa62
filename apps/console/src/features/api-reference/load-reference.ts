import { createOperatorClient, OperatorApiError } from "@agent-service/operator-api/client";
import { type Reference, readReference } from "./read-reference.ts";

/** Where the browser keeps the token (B70; N2). */
export const TOKEN_KEY = "protoagent.authToken";

/** The result of loading the reference. */
export type Loaded =
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "token-needed"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/**
 * Reads the service's OpenAPI document. Paths are relative to `/app/docs`, as a proxy may serve the agent below a prefix;
 * the token is read from the browser's storage at each call.
 */
export async function loadReference(
  storage: Pick<Storage, "getItem">,
  fetch?: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Loaded> {
  const token = (): string | undefined => storage.getItem(TOKEN_KEY) ?? undefined;
  const client = createOperatorClient({ baseUrl: "..", token, ...(fetch === undefined ? {} : { fetch }) });
  try {
    return { kind: "reference", reference: readReference(await client.get("/api/openapi.json")) };
  } catch (error) {
    const message = error instanceof Error ? error.message : "The service cannot be reached.";
    const needed = error instanceof OperatorApiError && (error.status === 401 || error.status === 403);
    return { kind: needed ? "token-needed" : "failed", message };
  }
}
