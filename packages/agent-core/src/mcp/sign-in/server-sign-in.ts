/**
 * The sign-in to one MCP server (M13): who may act there for the service, and with which token.
 *
 * Invariants
 *  MC5  A token goes only to the issuer and the resource it was made for.
 *       A refreshed token is saved before it is used; many that need it at once make one request.
 */
import { randomBytes } from "node:crypto";
import type { AuthorizationServerMetadata, FetchLike } from "@modelcontextprotocol/client";
import type { Clock } from "../../clock/index.ts";
import type { OauthSettings } from "../settings/index.ts";
import { type Grant, rightsOf } from "./grant.ts";
import { clientFor } from "./oauth-client.ts";
import { PendingSignIns } from "./pending-sign-ins.ts";
import { grantWithoutPerson, newGrant, type Renewal, refreshedGrant } from "./renew-grant.ts";
import { Renewals } from "./renewals.ts";
import { revoke } from "./revoke.ts";
import { SignInError } from "./sign-in-error.ts";
import { type Challenge, isFor, type SignInPlace, signInPlace } from "./sign-in-place.ts";
import { shownCode, speaking } from "./speaking.ts";

type Sdk = typeof import("@modelcontextprotocol/client");

/** What became of a sign-in while no person was there: a token was got or renewed, or the server took it back. */
export type UnaskedStep = "renewed" | "ended";

/** A token is renewed so long before it expires. */
const AHEAD_MS = 60_000;
/** What a sign-in needs of its surroundings. Everything is read when it is used. */
export interface ServerSignInOptions {
  readonly clock: Pick<Clock, "now">;
  readonly fetch: FetchLike;
  loadSdk(): Promise<Sdk>;
  /** The server's address, without placeholders. */
  url(): string;
  oauth(): OauthSettings | undefined;
  /** The stored secret of a configured client. */
  clientSecret(): string | undefined;
  /** Where this service serves its client's document; undefined: it does not. */
  clientDocument(): string | undefined;
  grant(): Grant | undefined;
  /** Durable when it resolves. `unasked`: what happened without a person. */
  save(grant: Grant | undefined, unasked?: UnaskedStep): Promise<void>;
  /** Of the server's name, whatever connection it has. Default: of this sign-in alone. */
  readonly renewals?: Renewals;
}

export class ServerSignIn {
  readonly #options: ServerSignInOptions;
  readonly #pending: PendingSignIns;
  readonly #renewals: Renewals;
  /** The challenge of the last refusal: where the server's metadata is. */
  #challenge: Challenge | undefined;
  #renewalFailed = false;

  constructor(options: ServerSignInOptions) {
    this.#options = options;
    this.#pending = new PendingSignIns(options.clock);
    this.#renewals = options.renewals ?? new Renewals();
  }

  /** `expired`: there is a token that is over, and nothing to renew it with. */
  get state(): "none" | "ok" | "expired" {
    const grant = this.#grant();
    if (grant === undefined) return "none";
    const isOver = (grant.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#options.clock.now();
    return isOver && !this.#canRenew(grant) ? "expired" : "ok";
  }

  /** The server wanted more of a request than its token may do: a person has to sign in again. */
  get isLacking(): boolean {
    return !this.#isByItself() && (this.#wanted()?.more?.length ?? 0) > 0;
  }

  /** When its token ends and cannot be renewed, epoch milliseconds; undefined: never by itself. */
  get endsAt(): number | undefined {
    const grant = this.#grant();
    return grant === undefined || this.#canRenew(grant) ? undefined : grant.expiresAt;
  }

  /** The token to send; undefined: there is none. @throws SignInError unreachable where it is over and could not be renewed */
  async token(): Promise<string | undefined> {
    const { clock } = this.#options;
    const grant = this.#grant();
    if (grant === undefined) return this.#isByItself() ? (await this.#renewed(undefined))?.accessToken : undefined;
    const left = (grant.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
    if (left > AHEAD_MS || !this.#canRenew(grant)) return grant.accessToken;
    try {
      return (await this.#renewed(grant))?.accessToken;
    } catch (error) {
      // It still holds, and is tried again with the next request.
      if (left > 0 && error instanceof SignInError && error.code === "unreachable") return grant.accessToken;
      throw error;
    }
  }

  /**
   * The server refused a request with this token, or without one: another to send it with, once; undefined: there is none,
   * and the operator has to sign in.
   */
  async refused(token: string | undefined, response: Response): Promise<string | undefined> {
    const sdk = await this.#options.loadSdk();
    const { resourceMetadataUrl: metadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
    this.#challenge = { ...this.#challenge, metadataUrl, scope };
    const grant = this.#grant();
    // Another request has renewed it meanwhile.
    if (grant !== undefined && grant.accessToken !== token) return grant.accessToken;
    if (grant === undefined ? !this.#isByItself() : !this.#canRenew(grant)) return undefined;
    const renewed = await this.#renewed(grant).catch((error: unknown) => {
      if (error instanceof SignInError) return undefined;
      throw error;
    });
    return renewed?.accessToken === token ? undefined : renewed?.accessToken;
  }

  /** The server wants more than this token may do: one that may, where no person is needed for it; else undefined. */
  async insufficient(token: string | undefined, response: Response): Promise<string | undefined> {
    const { extractWWWAuthenticateParams: read } = await this.#options.loadSdk();
    const { resourceMetadataUrl, scope = "" } = read(response);
    const grant = this.#grant();
    // What was granted stays granted by the next sign-in.
    const wanted = this.#wanted() ?? { metadataUrl: resourceMetadataUrl, scope: undefined };
    const more = rightsOf(grant?.scope, scope, ...(wanted.more ?? []));
    this.#challenge = { ...wanted, more };
    if (grant !== undefined && grant.accessToken !== token) return grant.accessToken;
    if (this.#isByItself()) return (await this.#renewed(grant))?.accessToken;
    // A restart forgets it otherwise, and the person would be asked for it only after another refusal.
    if (grant !== undefined) await this.#noteLacking(grant, { more, metadataUrl: wanted.metadataUrl?.href });
    return undefined;
  }

  /** Begins a sign-in: the address that the person opens, and what its answer carries. @throws SignInError */
  async begin(redirectUri: string): Promise<{ readonly url: string; readonly state: string }> {
    const oauth = this.#options.oauth();
    if (oauth?.grant === "client_credentials")
      throw new SignInError("not_possible", "it signs in by itself, with its client's secret");
    const sdk = await this.#options.loadSdk();
    return speaking(sdk, async () => {
      const place = await this.#place(sdk);
      // One that does not say so may take a code without its proof.
      if (place.metadata.code_challenge_methods_supported?.includes("S256") !== true)
        throw new SignInError("not_possible", "its authorization server offers no PKCE with S256");
      const client = await clientFor(sdk, place, { ...this.#options, redirectUri });
      const state = randomBytes(24).toString("base64url");
      const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(place.issuer, {
        ...{
          metadata: place.metadata,
          clientInformation: client,
          redirectUrl: redirectUri,
          state,
          resource: place.resource,
        },
        ...(place.scopes !== undefined && { scope: place.scopes.join(" ") }),
      });
      if (!/^https?:$/.test(authorizationUrl.protocol))
        throw new SignInError("refused", "its sign-in page is no web page");
      this.#pending.add(state, { redirectUri, codeVerifier, place, client });
      return { url: authorizationUrl.href, state };
    });
  }

  /** Ends a sign-in with what came back to the redirect's address. @throws SignInError */
  async finish(params: { readonly [name: string]: string }): Promise<void> {
    const { clock, save, fetch } = this.#options;
    const { state = "", code, iss, error } = params;
    const pending = this.#pending.take(state);
    if (pending === undefined)
      throw new SignInError("unknown_state", "this sign-in is over, or was begun elsewhere; begin it again");
    const { place, client, codeVerifier, redirectUri } = pending;
    const sdk = await this.#options.loadSdk();
    await speaking(sdk, async () => {
      sdk.validateAuthorizationResponseIssuer({
        iss,
        expectedIssuer: place.metadata.issuer,
        issParameterSupported: place.metadata.authorization_response_iss_parameter_supported === true,
      });
      if (error !== undefined) throw new SignInError("refused", `its sign-in page answered ${shownCode(error)}`);
      if (code === undefined || code === "") throw new SignInError("refused", "its sign-in page sent no code");
      const tokens = await sdk.exchangeAuthorization(place.issuer, {
        ...{ metadata: place.metadata, clientInformation: client, authorizationCode: code, codeVerifier },
        ...{ redirectUri, resource: place.resource, fetchFn: fetch },
        ...(iss !== undefined && { iss }),
      });
      await save(newGrant(tokens, place, client, clock.now()));
      this.#renewalFailed = false;
      this.#challenge = undefined;
    });
  }

  /** Forgets the tokens, and asks the authorization server to end them where it can be asked. */
  async signOut(): Promise<void> {
    const { save, fetch } = this.#options;
    const grant = this.#options.grant();
    await save(undefined);
    this.#pending.clear();
    if (grant === undefined) return;
    const sdk = await this.#options.loadSdk();
    // The tokens are gone here, whatever the other side keeps.
    const metadata = await this.#metadata(sdk, grant.issuer).catch(() => undefined);
    await revoke(fetch, metadata, grant).catch(() => {});
  }

  /** What the server wants: as it said last, or as an earlier process was answered. */
  #wanted(): Challenge | undefined {
    const { lacking } = this.#grant() ?? {};
    if (lacking === undefined || this.#challenge?.more !== undefined) return this.#challenge;
    const metadataUrl = this.#challenge?.metadataUrl ?? URL.parse(lacking.metadataUrl ?? "") ?? undefined;
    return { scope: this.#challenge?.scope, metadataUrl, more: lacking.more };
  }

  async #noteLacking(grant: Grant, lacking: NonNullable<Grant["lacking"]>): Promise<void> {
    const isNoted = JSON.stringify(grant.lacking?.more) === JSON.stringify(lacking.more);
    if (isNoted || !this.#isStored(grant)) return;
    // The call has its refusal either way, and the next one notes it again.
    await this.#options.save({ ...grant, lacking }).catch(() => {});
  }

  /** The grant for the address and the client that are configured now (MC5). */
  #grant(): Grant | undefined {
    const grant = this.#options.grant();
    if (grant === undefined || !isFor(grant.resource, this.#options.url())) return undefined;
    const clientId = this.#options.oauth()?.clientId;
    return clientId === undefined || clientId === grant.clientId ? grant : undefined;
  }

  /** Whether tokens are asked for without a person. */
  #isByItself(): boolean {
    return this.#options.oauth()?.grant === "client_credentials" && !this.#renewalFailed;
  }

  #canRenew(grant: Grant): boolean {
    return this.#options.oauth()?.grant === "client_credentials" || grant.refreshToken !== undefined;
  }

  #renewed(grant: Grant | undefined): Promise<Grant | undefined> {
    const isByItself = this.#options.oauth()?.grant === "client_credentials";
    return this.#renewals.once(isByItself ? this : (grant?.refreshToken ?? this), () => this.#renew(grant));
  }

  async #renew(before: Grant | undefined): Promise<Grant | undefined> {
    const { clock, save, fetch } = this.#options;
    const sdk = await this.#options.loadSdk();
    const oauth = this.#options.oauth();
    try {
      return await speaking(sdk, async () => {
        const renewal: Renewal = {
          ...{ fetch, now: clock.now(), place: () => this.#place(sdk) },
          metadata: (issuer) => this.#metadata(sdk, issuer),
        };
        if (oauth?.grant === "client_credentials") {
          const fresh = await grantWithoutPerson(sdk, oauth, this.#options.clientSecret(), renewal);
          await save(fresh, "renewed");
          return fresh;
        }
        if (before?.refreshToken === undefined) return undefined;
        const { refreshToken } = before;
        const known = this.#renewals.unsavedOf(refreshToken);
        return this.#keep(known ?? (await refreshedGrant(sdk, { ...before, refreshToken }, renewal)), before);
      });
    } catch (error) {
      const isByItself = oauth?.grant === "client_credentials";
      if (!(error instanceof SignInError) || (error.code !== "over" && !isByItself)) throw error;
      if (error.code === "unreachable") throw error;
      // What was granted is over: only a person can sign in again.
      if (isByItself) this.#renewalFailed = true;
      if (this.#isStored(before)) await save(undefined, "ended");
      return undefined;
    }
  }

  #isStored(grant: Grant | undefined): boolean {
    const stored = this.#options.grant();
    return stored?.accessToken === grant?.accessToken && stored?.refreshToken === grant?.refreshToken;
  }

  /** What was renewed is kept, unless somebody signed in or out meanwhile: that is not undone. */
  async #keep(fresh: Grant, before: Grant): Promise<Grant | undefined> {
    this.#renewals.unsaved = undefined;
    if (!this.#isStored(before)) return this.#grant();
    try {
      await this.#options.save(fresh, "renewed");
    } catch (error) {
      this.#renewals.unsaved = { fresh, of: before.refreshToken };
      throw new SignInError("unreachable", "its renewed token could not be stored", { cause: error });
    }
    return fresh;
  }

  #place(sdk: Sdk): Promise<SignInPlace> {
    const { fetch } = this.#options;
    const { scopes = [], grant } = this.#options.oauth() ?? {};
    const offline = grant !== "client_credentials";
    return signInPlace(sdk, { url: this.#options.url(), fetch, challenge: this.#wanted(), scopes, offline });
  }

  #metadata(sdk: Sdk, issuer: string): Promise<AuthorizationServerMetadata | undefined> {
    return sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: this.#options.fetch });
  }
}
