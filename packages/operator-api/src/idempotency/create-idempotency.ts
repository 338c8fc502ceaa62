import { createHash } from "node:crypto";
import type { Claim, IdempotencyKey, IdempotencyStore } from "@agent-service/agent-core/host";
import { Problem } from "../problem/index.ts";
import type { Answer, Idempotency, RequestKey } from "../route/index.ts";
import { keyProblem, readKey } from "./read-key.ts";

/** Where answers are stored, and what is called when one could not be. */
export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  readonly warn: (message: string) => void;
}

interface Running {
  readonly digest: string;
  readonly answer: Promise<Answer>;
}

const REPLAYED = Object.freeze({ "idempotency-replayed": "true" });

/**
 * Carries out a POST once per `Idempotency-Key` (A15). The same request under a key gets the first one's answer,
 * while that one runs by waiting for it, and afterwards for 24 hours, over restarts, from the store. A different request
 * under it is a 422. Refusals that pass by themselves (409, 429, 5xx) give the key back. A request that a crash or a fault
 * cut off is carried out again under the same `requestKey`, by which its handler finds what it did already.
 */
export function createIdempotency({ store, warn }: IdempotencyOptions): Idempotency {
  const running = new Map<string, Running>();
  return async (definition, { call, url, text }, run) => {
    const sent = readKey(call.headers);
    if (sent === undefined) return run(undefined);
    const key: IdempotencyKey = { class: call.caller, key: sent, digest: digestOf(definition.method, url, text) };
    const name = JSON.stringify([key.class, key.key]);
    const first = running.get(name);
    if (first !== undefined) {
      if (first.digest !== key.digest) throw otherRequest();
      return replayed(await first.answer);
    }
    const answer = once(key, run, definition.idempotency === "status-only");
    running.set(name, { digest: key.digest, answer });
    try {
      return await answer;
    } finally {
      running.delete(name);
    }
  };

  async function once(
    key: IdempotencyKey,
    run: (requestKey: RequestKey) => Promise<Answer>,
    statusOnly: boolean,
  ): Promise<Answer> {
    const claim = await store.claim(key);
    if (claim.kind !== "taken") return answerOfClaim(claim);
    const { since, begun } = claim;
    const answer = await run({ key: nameOf(key, since), digest: key.digest, begun });
    const { status, headers, body } = answer;
    const passing = status === 409 || status === 429 || status >= 500;
    const storable = !statusOnly && (body === undefined || typeof body === "string");
    try {
      if (passing) await store.release(key);
      else await store.keep(key, status, storable ? { status, headers, body } : undefined);
    } catch (error) {
      // The request is done and answered; a repetition is carried out again and finds what was done.
      warn(`an answer could not be kept under its idempotency key: ${(error as Error).message}`);
    }
    return answer;
  }
}

function answerOfClaim(claim: Exclude<Claim, { kind: "taken" }>): Answer {
  switch (claim.kind) {
    case "answered":
      return replayed(claim.answer);
    case "other":
      throw otherRequest();
    case "full":
      throw new Problem(503, "Too many idempotency keys are in use; they pass after 24 hours.", { retryAfter: 3600 });
    case "not_stored":
      throw new Problem(
        409,
        `The request under this Idempotency-Key was carried out and answered ${claim.status}; the answer is not kept.`,
      );
  }
}

function replayed(answer: Omit<Answer, "body"> & { readonly body: Answer["body"] }): Answer {
  return { ...answer, headers: { ...answer.headers, ...REPLAYED } };
}

function otherRequest(): Problem {
  return keyProblem("This key stands for a different request.", "idempotency_key_reused");
}

/** The name of what the request makes, a UUID 7 without its dashes; after 24 hours the key gives another. */
function nameOf({ class: caller, key, digest }: IdempotencyKey, since: number): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([caller, key, digest, since]))
    .digest("hex");
  return `${since.toString(16).padStart(12, "0")}7${hash.slice(0, 3)}a${hash.slice(3, 18)}`;
}

/** What makes a request the same: method, path, query and body, byte by byte. */
function digestOf(method: string, url: string, text: string | undefined): string {
  const { pathname, search } = new URL(url);
  return createHash("sha256")
    .update(JSON.stringify([method, pathname, search, text ?? ""]))
    .digest("hex");
}
