import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { CallerClass } from "@agent-service/agent-core/host";
import { type Credentials, effectiveSecret } from "./credentials.ts";

/** Identifies the caller of a request by its headers. */
export interface Authenticator {
  /** True while neither bearer nor API key is set. */
  open(): boolean;
  /** The class whose secret matched; `anonymous` when none did. On an open instance always `operator`. */
  classify(headers: IncomingHttpHeaders): CallerClass;
  /** The headers that would be accepted now, for the text of a 401. */
  accepted(): readonly string[];
}

interface Digests {
  readonly bearer: Buffer | undefined;
  readonly apiKey: Buffer | undefined;
  readonly federation: Buffer | undefined;
}

/**
 * Classifies callers by which secret matched (B23 to B26). Secrets are compared as SHA-256
 * digests in constant time (S1), so neither their bytes nor their length shows in the time taken. `credentials`
 * is read on every request: a changed secret applies from the next request on (S8). Credentials are alternatives:
 * one that matches is enough, also beside one that does not.
 */
export function createAuthenticator(credentials: () => Credentials): Authenticator {
  let digested: Credentials = {};
  let digests: Digests = digest(digested);

  const current = (): Digests => {
    const now = credentials();
    if (
      now !== digested &&
      (now.bearer !== digested.bearer || now.apiKey !== digested.apiKey || now.federation !== digested.federation)
    ) {
      digests = digest(now);
    }
    digested = now;
    return digests;
  };
  const openWith = (now: Digests): boolean => now.bearer === undefined && now.apiKey === undefined;

  return {
    open: () => openWith(current()),
    classify(headers) {
      const now = current();
      if (openWith(now)) return "operator";
      const bearer = presentedBearer(headers.authorization);
      const bearerDigest = bearer === undefined ? undefined : digestOfHeader(bearer);
      if (matches(bearerDigest, now.bearer)) return "operator";
      const key = headers["x-api-key"];
      if (now.apiKey && typeof key === "string" && matches(digestOfHeader(key.trim()), now.apiKey)) return "operator";
      if (matches(bearerDigest, now.federation)) return "federation";
      return "anonymous";
    },
    accepted() {
      const now = current();
      const names: string[] = [];
      if (now.bearer || now.federation) names.push("Authorization: Bearer <token>");
      if (now.apiKey) names.push("X-API-Key: <key>");
      return names;
    },
  };
}

function digest(credentials: Credentials): Digests {
  const of = (secret: string | undefined): Buffer | undefined => {
    const effective = effectiveSecret(secret);
    return effective === undefined ? undefined : hash("sha256", effective, "buffer");
  };
  return { bearer: of(credentials.bearer), apiKey: of(credentials.apiKey), federation: of(credentials.federation) };
}

/** Node decodes header bytes as latin1; hashing them as latin1 makes a UTF-8 secret match the bytes a client sent. */
function digestOfHeader(value: string): Buffer {
  return hash("sha256", Buffer.from(value, "latin1"), "buffer");
}

function matches(presented: Buffer | undefined, expected: Buffer | undefined): boolean {
  return presented !== undefined && expected !== undefined && timingSafeEqual(presented, expected);
}

function presentedBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length < 8) return undefined;
  if (authorization.charCodeAt(6) !== 0x20 || authorization.slice(0, 6).toLowerCase() !== "bearer") return undefined;
  return authorization.slice(7).trim();
}
