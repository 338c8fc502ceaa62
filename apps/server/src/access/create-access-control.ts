import type { AccessControl } from "./access-control.ts";
import { createAuthenticator } from "./authenticate.ts";
import { createBodyBudget } from "./body-budget.ts";
import type { Credentials } from "./credentials.ts";
import { anyoneDecides, createDecisionGuard } from "./decision-guard.ts";
import { createHostCheck, isLoopbackHost } from "./host-check.ts";
import { createOriginPolicy, parseAllowedOrigins } from "./origin-policy.ts";
import { type ReadSocketTables, readSocketTables } from "./socket-owner.ts";
import { createStreamLimit } from "./stream-limit.ts";

export interface AccessControlOptions {
  /** Called on every request, so that a changed secret applies at once (S8). */
  readonly credentials: () => Credentials;
  /** `A2A_PUBLIC_URL`. */
  readonly publicUrl?: string | undefined;
  /** `SVC_TRUSTED_HOSTS`, split. */
  readonly trustedHosts?: readonly string[] | undefined;
  /** `A2A_ALLOWED_ORIGINS`, unparsed. */
  readonly allowedOrigins?: string | undefined;
  /** `SVC_ALLOW_OPEN=1`: without a credential every user of the machine decides for the operator (F15). */
  readonly allowOpen?: boolean | undefined;
  /** How the kernel's table of connections is read; absent: as on Linux, and on other systems not at all. */
  readonly readTables?: ReadSocketTables | undefined;
  /** Streams open at once; default 2,000 (S7). */
  readonly maxStreams?: number | undefined;
  /** Bytes of request bodies that are read at once; default 512 MiB. */
  readonly maxBodyBytes?: number | undefined;
}

export function createAccessControl(options: AccessControlOptions): AccessControl {
  const { publicUrl, trustedHosts } = options;
  const authenticator = createAuthenticator(options.credentials);
  const readTables = options.readTables ?? (process.platform === "linux" ? readSocketTables : undefined);
  return {
    authenticator,
    refuseDecision:
      options.allowOpen === true || readTables === undefined
        ? anyoneDecides
        : createDecisionGuard({ open: authenticator.open, user: process.geteuid?.(), readTables }),
    hostCheck: createHostCheck({ publicUrl, trustedHosts }),
    origins: createOriginPolicy({ allowed: parseAllowedOrigins(options.allowedOrigins), publicUrl }),
    streams: createStreamLimit(options.maxStreams),
    bodies: createBodyBudget(options.maxBodyBytes),
  };
}

/**
 * Warnings for the log at start, one line each: that no token is required, and that streaming
 * accepts every origin (B26 and B29). `host` is the address bound to.
 */
export function accessWarnings(
  access: AccessControl,
  options: { readonly host: string; readonly allowedOrigins?: string | undefined },
): string[] {
  const warnings: string[] = [];
  if (access.authenticator.open()) {
    warnings.push(
      isLoopbackHost(options.host)
        ? "no token is set: every program on this machine may use this agent (set A2A_AUTH_TOKEN)"
        : `no token is set and ${options.host} is no loopback address: everyone who reaches it is the operator`,
    );
  }
  if (parseAllowedOrigins(options.allowedOrigins).verification === "unset") {
    warnings.push("A2A_ALLOWED_ORIGINS is not set: streaming accepts every origin");
  }
  return warnings;
}
