/** What an error of the SDK means for a request: whether it was sent, carried out, refused or lost. */
import { ProcessError } from "../../process/index.ts";
import type { McpEra } from "../mcp-server-view.ts";
import type { ServerTarget } from "../server-target.ts";
import { ConnectionError, ServerError, UnreadableAnswerError } from "./connection-error.ts";
import type { McpSdk } from "./load-sdk.ts";
import { STREAM_ENDED } from "./transport.ts";

const MAX_MESSAGE_CHARS = 500;
/** Of a service that is there, and has forgotten the session. */
export const SESSION_OVER = "its session is over";

function short(message: string): string {
  const line = message.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS)}…` : line;
}

/** What our fetch threw: the SDK passes it on as it is, or as a cause. */
function ownError(error: unknown): ConnectionError | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++)
    if (one instanceof ConnectionError) return one;
  return undefined;
}

/** What the SDK says, without a code, where the connection ended while it was being opened. */
const NOT_CONNECTED = "Not connected";

/** What an error of the SDK means for the request. */
export function connectionError(
  sdk: McpSdk,
  error: unknown,
  { target, redact }: { readonly target: ServerTarget; redact(text: string): string },
  era?: McpEra,
): ConnectionError {
  const own = ownError(error);
  if (own !== undefined) return own;
  if (sdk.ProtocolError.isInstance(error)) {
    return error.message.includes(STREAM_ENDED)
      ? new ConnectionError("lost", "the server ended the answer before it was complete")
      : new ServerError(short(redact(error.message)), error.code);
  }
  if (sdk.UnauthorizedError.isInstance(error)) return new ConnectionError("auth", "it wants a sign-in");
  if (sdk.SdkHttpError.isInstance(error)) return httpError(error.status ?? 0, era);
  if (sdk.SdkError.isInstance(error)) {
    if (error.code === sdk.SdkErrorCode.NotConnected) return new ConnectionError("not_sent", "it is not connected");
    if (error.code === sdk.SdkErrorCode.ConnectionClosed) return new ConnectionError("lost", endedBefore(target));
    if (error.code === sdk.SdkErrorCode.RequestTimeout)
      return new ConnectionError("timeout", "it did not answer in time");
    const { InvalidResult, UnsupportedResultType, ClientHttpUnexpectedContent } = sdk.SdkErrorCode;
    const isAnswered = [InvalidResult, UnsupportedResultType, ClientHttpUnexpectedContent].includes(error.code);
    const what = target.transport === "stdio" ? "`command` starts" : "`url` is that of";
    const problem = `it does not speak the protocol (${error.code}); check that ${what} an MCP server`;
    return isAnswered ? new UnreadableAnswerError(problem) : new ConnectionError("server", problem);
  }
  // Which of both is noticed first, its end or that it reads no more, is chance.
  if (error instanceof ProcessError && error.code === "process.input-lost")
    return new ConnectionError("lost", endedBefore(target));
  if (error instanceof Error && error.message === NOT_CONNECTED)
    return new ConnectionError("lost", endedBefore(target));
  if (target.transport === "stdio" && error instanceof Error)
    return new ConnectionError("lost", short(redact(error.message)));
  return new ConnectionError("lost", "the connection failed");
}

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  301: "give the address that it moved to",
  302: "give the address that it leads to",
  307: "give the address that it leads to",
  308: "give the address that it moved to",
  403: "check the credential in `headers`",
  404: "check the path of `url`",
  405: "check the path of `url`, and whether its `transport` is sse",
};

/** Of a server that was silent while it was connected to. */
export function silentFor(ms: number, { transport }: Pick<ServerTarget, "transport">): string {
  const advice =
    transport === "stdio"
      ? "its log may say why; one that is downloaded first may need a longer `mcp.timeout_seconds`"
      : "check `url`, and that the server runs";
  return `it did not answer within ${ms / 1_000} s; ${advice}`;
}

function endedBefore({ transport }: ServerTarget): string {
  return transport === "stdio" ? "its program ended; its log has the reason" : "the connection ended";
}

/** A status in the 400s says that the request was not carried out; other failures say nothing about it. */
function httpError(status: number, era: McpEra | undefined): ConnectionError {
  if (status === 401) return new ConnectionError("auth", "it wants a sign-in (status 401)");
  if (status === 404 && era === "2025") return new ConnectionError("not_sent", SESSION_OVER);
  const answered = `it answered with status ${status}; ${STATUS_ADVICE[status] ?? "its log has the reason"}`;
  return new ConnectionError(status >= 300 && status < 500 ? "server" : "lost", answered);
}
