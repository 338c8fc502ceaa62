import type { Clock } from "../../clock/index.ts";
import type { Egress } from "../../egress/index.ts";
import { ConnectionError, loadSdk, type RequestAuthorization } from "../connection/index.ts";
import type { McpSignIn } from "../mcp-server-view.ts";
import { type PlaceholderSource, resolveTarget } from "../placeholder/index.ts";
import type { McpServerSettings } from "../settings/index.ts";
import type { Grant } from "./grant.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import type { Renewals } from "./renewals.ts";
import { ServerSignIn, type UnaskedStep } from "./server-sign-in.ts";
import { SignInError } from "./sign-in-error.ts";

/** Stored grants, by server. */
export interface Grants {
  read(server: string): Grant | undefined;
  /** Durable when it resolves. */
  save(server: string, grant: Grant | undefined): Promise<void>;
}

/** What sign-ins are made of, for all servers. */
export interface SignInSurroundings {
  readonly grants: Grants;
  /** The guard for requests to what a server at an address names. */
  egressFor(url: string): Pick<Egress, "request">;
  /** Where this service serves its client's document; undefined: it does not. */
  clientDocument(): string | undefined;
  /** Of a server by its name: the same as long as the process runs. */
  renewalsOf?(server: string): Renewals;
  /** Hear of each step without a person, once it is stored. */
  readonly listeners?: Set<(server: string, step: UnaskedStep) => void>;
}

/** Under this name the secret of a configured client is stored. */
export const CLIENT_SECRET = "OAUTH_CLIENT_SECRET";

/** The sign-in of a server; undefined: it is a program, or is sent a credential that the operator configured. */
export function signInOf(
  { name, target, oauth }: Pick<McpServerSettings, "name" | "target" | "oauth">,
  placeholders: PlaceholderSource,
  {
    grants,
    egressFor,
    clientDocument,
    renewalsOf,
    listeners = new Set(),
    clock,
  }: SignInSurroundings & { readonly clock: Pick<Clock, "now"> },
): ServerSignIn | undefined {
  if (target.transport === "stdio") return undefined;
  if (Object.keys(target.headers).some((header) => header.toLowerCase() === "authorization")) return undefined;
  const url = (): string => {
    const resolved = resolveTarget(target, placeholders);
    return resolved.ok && "url" in resolved.target ? resolved.target.url : target.url;
  };
  return new ServerSignIn({
    ...{ clock, loadSdk, url, clientDocument },
    fetch: (input, init) => oauthFetch(egressFor(url()))(input, init),
    oauth: () => oauth,
    clientSecret: () => placeholders.secrets[CLIENT_SECRET],
    grant: () => grants.read(name),
    async save(grant, unasked) {
      await grants.save(name, grant);
      if (unasked !== undefined) for (const listener of listeners) listener(name, unasked);
    },
    ...(renewalsOf !== undefined && { renewals: renewalsOf(name) }),
  });
}

/** A sign-in as connections use it: its refusals are theirs. */
export function authorizationOf(signIn: ServerSignIn): RequestAuthorization {
  return {
    async token() {
      try {
        return await signIn.token();
      } catch (error) {
        if (!(error instanceof SignInError)) throw error;
        // What passes ends no connection: calls under way on it need no new token.
        throw new ConnectionError(error.code === "unreachable" ? "server" : "auth", error.message);
      }
    },
    refused: (token, response) => signIn.refused(token, response),
    insufficient: (token, response) => signIn.insufficient(token, response),
  };
}

/** What operators do with a sign-in. `restart`: connects anew. @throws SignInError not_possible where there is none */
export function signInOperations(signIn: ServerSignIn | undefined, restart: () => Promise<void>): McpSignIn {
  if (signIn === undefined)
    throw new SignInError(
      "not_possible",
      "it is no service to sign in to: a program, switched off, or with a credential of its own",
    );
  return {
    begin: (redirectUri) => signIn.begin(redirectUri),
    async finish(answer) {
      await signIn.finish(answer);
      await restart();
    },
    async signOut() {
      await signIn.signOut();
      await restart();
    },
  };
}
