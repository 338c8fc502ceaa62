import { StartupError } from "../cli/index.ts";
import { type Credentials, isOpen } from "./credentials.ts";
import { isLoopbackHost } from "./host-check.ts";

export interface BindRequest {
  /** The address to listen on (`--host`, `SVC_HOST`). */
  readonly host: string;
  readonly credentials: Credentials;
  /** `SVC_ALLOW_OPEN=1`. */
  readonly allowOpen: boolean;
}

/**
 * Why this instance must not listen on the configured address, or undefined: one that others can reach needs a token or an
 * explicit setting that none is wanted (B26).
 */
export function checkBind(request: BindRequest): StartupError | undefined {
  if (!isOpen(request.credentials) || request.allowOpen || isLoopbackHost(request.host)) return undefined;
  return new StartupError(
    "bind-refused",
    `refusing to listen on ${request.host} without a token: set A2A_AUTH_TOKEN, bind to 127.0.0.1, or set SVC_ALLOW_OPEN=1`,
  );
}
