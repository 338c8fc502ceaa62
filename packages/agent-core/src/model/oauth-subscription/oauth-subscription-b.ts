import { type OutputVersion, responsesBody } from "./responses-body.ts";
import { ResponsesInterpreter } from "./responses-interpreter.ts";
import { type SubscriptionModel, type SubscriptionOptions, subscriptionModel } from "./subscription.ts";

const DEFAULT_BASE_URL = "https://chatgpt.com/backend-api/codex";
const AUTH_CLAIM = "https://api.openai.com/auth";

/**
 * The `oauth-subscription-b` connection: the OpenAI Responses wire (B51 `providers`, `SVC_CODEX_BASE_URL`,
 * `SVC_CODEX_OUTPUT_VERSION`; R9).
 */
export function oauthSubscriptionB(
  options: SubscriptionOptions & { readonly outputVersion?: OutputVersion | undefined },
): SubscriptionModel {
  const { outputVersion = "responses/v1", baseUrl = DEFAULT_BASE_URL, ...rest } = options;
  return subscriptionModel(
    {
      path: "/responses",
      headers: accountHeader,
      body: (request) => responsesBody(request, outputVersion),
      interpreter: (emit, origin) => new ResponsesInterpreter(emit, origin),
    },
    { ...rest, baseUrl },
  );
}

/** The subscription's account, read from the operator's own token; the endpoint requires it beside the token. */
function accountHeader(token: string): { readonly [name: string]: string } {
  const [, claims = ""] = token.split(".");
  try {
    const parsed = JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as { readonly [key: string]: unknown };
    const auth = parsed[AUTH_CLAIM];
    const account =
      typeof auth === "object" && auth !== null && "chatgpt_account_id" in auth ? auth.chatgpt_account_id : "";
    return typeof account === "string" && /^[\w-]{1,128}$/.test(account) ? { "chatgpt-account-id": account } : {};
  } catch {
    // An opaque token holds no account.
    return {};
  }
}
