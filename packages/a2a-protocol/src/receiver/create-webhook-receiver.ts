import { A2AError } from "../error/index.ts";
import { isJsonContentType, parseJson, readBody } from "../json-rpc/index.ts";
import type { PushAuthentication } from "../push/index.ts";
import { credentialHeaders, EVENT_ID_HEADER, NOTIFICATION_TOKEN_HEADER, parseEventId } from "../webhook/index.ts";
import { type ReadNotification, readNotification } from "./read-notification.ts";
import { type SameSecret, sameSecret } from "./same-secret.ts";

/** The registration that a receiver verifies against, and its bounds. */
export interface WebhookReceiverOptions {
  /** The token the webhook was registered with. This or `authentication.credentials` has to be there. */
  readonly token?: string;
  /** The authentication it was registered with. */
  readonly authentication?: PushAuthentication;
  /**
   * `both` (default): `Authorization` and `X-A2A-Notification-Token` have to be there and right, as agents of 0.3 (B21)
   * send them. `either`: one may be missing, as other agents send only one; what is there has to be right.
   */
  readonly headers?: "both" | "either";
  /** Longest body in bytes. Default 16 MiB: outputs come whole. */
  readonly maxBytes?: number;
}

/** A notification, with the id of its event. */
export interface WebhookNotification extends ReadNotification {
  /**
   * `<task>/<seq>`: the same on every repetition of this notification and on no other, so a receiver that has seen it
   * is done. undefined: the agent names none.
   */
  readonly eventId: string | undefined;
}

/**
 * Reads one request to a webhook: the notification, or the `Response` that refuses it (401, 405, 413, 415 or 400 with
 * `{detail}`). Never rejects. The receiver answers a notification by itself, with any 2xx; a 4xx ends this delivery, and
 * a 5xx has the agent try again.
 */
export type WebhookReceiver = (request: Request) => Promise<WebhookNotification | Response>;

interface Expected {
  readonly authorization: SameSecret;
  readonly token: SameSecret;
}

/**
 * A webhook's receiving end over web-standard requests (B21, W1): checks the two
 * headers in constant time before it reads the body, and reads the payloads of both versions. Throws `TypeError` where
 * the options name no secret: such a receiver would believe anybody.
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { maxBytes = 16 * 1024 * 1024, headers = "both" } = options;
  const expected = expectedHeaders(options);

  async function isTrusted(request: Request): Promise<boolean> {
    const authorization = request.headers.get("authorization");
    const token = request.headers.get(NOTIFICATION_TOKEN_HEADER);
    if (authorization === null && token === null) return false;
    const results = await Promise.all(
      expected.map(async (own) => {
        const [first, second] = await Promise.all([own.authorization(authorization), own.token(token)]);
        return headers === "both" ? first && second : (first || authorization === null) && (second || token === null);
      }),
    );
    return results.includes(true);
  }

  async function receive(request: Request): Promise<WebhookNotification | Response> {
    if (request.method !== "POST") return refusal(405, "Use POST", { allow: "POST" });
    if (!(await isTrusted(request))) {
      const detail = `Authorization and ${NOTIFICATION_TOKEN_HEADER} must hold the token of the registration`;
      return refusal(401, detail, { "www-authenticate": "Bearer" });
    }
    if (!isJsonContentType(request.headers.get("content-type"))) return refusal(415, "The body must be JSON");
    const text = await readBody(request, maxBytes).catch(() => null);
    if (text === null) return refusal(400, "The body broke off");
    if (text === undefined) return refusal(413, `The body is longer than ${maxBytes} bytes`);
    const notification = readNotification(parseJson(text));
    const eventId = request.headers.get(EVENT_ID_HEADER) ?? undefined;
    if (eventId !== undefined && parseEventId(eventId)?.taskId !== notification.taskId) {
      return refusal(400, `${EVENT_ID_HEADER} names another task than the body`);
    }
    return { ...notification, eventId };
  }

  return (request) =>
    receive(request).catch((error: unknown) => {
      // Whatever its reason, the same body would fail again, so the agent is not asked to repeat it.
      return refusal(400, error instanceof A2AError ? error.message : "The notification cannot be read");
    });
}

/** What the two headers hold where the registration was 1.0's, and where it was 0.3's. */
function expectedHeaders({ token, authentication }: WebhookReceiverOptions): readonly Expected[] {
  const config = { id: "", taskId: "", url: "", ...(token && { token }), ...(authentication && { authentication }) };
  return (["1.0", "0.3"] as const).map((version) => {
    const { Authorization: authorization, [NOTIFICATION_TOKEN_HEADER]: own } = credentialHeaders(config, version);
    if (!authorization || !own) throw new TypeError("A webhook's receiver needs its token or credentials");
    return { authorization: sameSecret(authorization), token: sameSecret(own) };
  });
}

function refusal(status: number, detail: string, headers?: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify({ detail }), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
