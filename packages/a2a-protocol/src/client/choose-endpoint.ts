import { ClientError } from "./client-error.ts";
import { type ClientDialect, v03ClientDialect, v10ClientDialect } from "./dialect.ts";

/** Where and how to talk to an agent. */
export interface Endpoint {
  /** Absolute address. */
  readonly url: string;
  readonly dialect: ClientDialect;
  /** What 1.0's requests to this endpoint have to repeat. */
  readonly tenant?: string;
}

/** The fields of a card, of any version, that the client reads. */
export interface ReadCard {
  readonly name: string;
  readonly description: string;
  readonly streaming: boolean;
  /** URIs of the declared extensions. */
  readonly extensions: readonly string[];
  /** The document itself. */
  readonly document: { readonly [key: string]: unknown };
}

const dialects: readonly ClientDialect[] = [v10ClientDialect, v03ClientDialect];

/**
 * The first endpoint of a card that this client supports: 1.0's `supportedInterfaces` in their order, then 0.3's main
 * address, then 0.3's additional ones. Relative addresses count from the card's. Throws `ClientError` `unsupported`.
 */
export function chooseEndpoint(card: ReadCard, cardUrl: string): Endpoint {
  const { supportedInterfaces, additionalInterfaces, preferredTransport, url, protocolVersion } = card.document;
  const offers = [
    ...list(supportedInterfaces).map((item) => [item.url, item.protocolBinding, item.protocolVersion, item.tenant]),
    [url, preferredTransport ?? "JSONRPC", protocolVersion ?? "0.3"],
    ...list(additionalInterfaces).map((item) => [item.url, item.transport, protocolVersion ?? "0.3"]),
  ];
  for (const [address, binding, version, tenant] of offers) {
    const dialect = dialects.find((known) => typeof version === "string" && majorMinor(version) === known.version);
    if (dialect === undefined || binding !== "JSONRPC" || typeof address !== "string") continue;
    if (!URL.canParse(address, cardUrl)) continue;
    const endpoint = { url: new URL(address, cardUrl).href, dialect };
    return typeof tenant === "string" && tenant !== "" ? { ...endpoint, tenant } : endpoint;
  }
  throw new ClientError("unsupported", `The card of "${card.name}" names no JSON-RPC endpoint of A2A 1.0 or 0.3`);
}

/** Reads a card document. Throws `ClientError` `card` for what is none. */
export function readCard(document: unknown): ReadCard {
  const card = document as { [key: string]: unknown } | null;
  if (typeof card !== "object" || card === null || typeof card.name !== "string") {
    throw new ClientError("card", "The document at the card's address is not an agent card");
  }
  const capabilities = (card.capabilities ?? {}) as { streaming?: unknown; extensions?: unknown };
  return {
    name: card.name,
    description: typeof card.description === "string" ? card.description : "",
    streaming: capabilities.streaming === true,
    extensions: list(capabilities.extensions).flatMap(({ uri }) => (typeof uri === "string" ? [uri] : [])),
    document: card,
  };
}

function majorMinor(version: string): string | undefined {
  return /^\d+\.\d+/.exec(version)?.[0];
}

function list(value: unknown): { readonly [key: string]: unknown }[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}
