import { type ListedModel, listModels } from "./list-models.ts";

/** A model server of this machine that answered. */
export interface LocalModelServer {
  /** What usually listens there, as `ports` names it. */
  readonly server: string;
  /** Ready to be a connection's address. */
  readonly baseUrl: string;
  readonly models: readonly ListedModel[];
}

export interface FindLocalModelsOptions {
  /** The variable `OLLAMA_HOST`, in any form that Ollama takes. */
  readonly ollamaHost?: string | undefined;
  /** The name of the machine that runs this container, if it is one: its usual ports are asked too. */
  readonly containerHost?: string | undefined;
  /** Ports of this service itself: it lists models too. */
  readonly exceptPorts?: readonly number[];
  /** Milliseconds for each address; all are asked at once. Default 1,500. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** For tests, other ports than the usual ones. */
  /** Which servers usually listen where. */
  readonly ports: readonly (readonly [server: string, port: number])[];
}

/**
 * Looks for model servers on the usual ports of this machine, and nowhere else: no key is sent, and
 * what does not answer in time or lists no models is not there. Rejects only on abort.
 */
export async function findLocalModels(options: FindLocalModelsOptions): Promise<LocalModelServer[]> {
  const { timeoutMs = 1_500, signal, ports } = options;
  const except = new Set(options.exceptPorts);
  const hosts = ["127.0.0.1", ...(options.containerHost === undefined ? [] : [options.containerHost])];
  const addresses = new Map<string, string>();
  const named = ollamaBaseUrl(options.ollamaHost ?? "");
  if (named !== undefined) addresses.set(named, "ollama");
  for (const host of hosts)
    for (const [server, port] of ports) {
      const baseUrl = `http://${host}:${port}/v1`;
      if (!except.has(port) && !addresses.has(baseUrl)) addresses.set(baseUrl, server);
    }
  const found = await Promise.all(
    [...addresses].map(async ([baseUrl, server]): Promise<LocalModelServer[]> => {
      try {
        return [{ server, baseUrl, models: await listModels({ baseUrl, timeoutMs, signal }) }];
      } catch {
        signal?.throwIfAborted();
        return [];
      }
    }),
  );
  return found.flat();
}

/** `host`, `host:port`, `:port` or a URL; the address to listen on at all interfaces means this machine. */
function ollamaBaseUrl(value: string): string | undefined {
  const text = value.trim().replace(/\/+$/, "");
  if (text === "") return undefined;
  const url = URL.parse(
    /^https?:\/\//i.test(text) ? text : `http://${text.startsWith(":") ? `127.0.0.1${text}` : text}`,
  );
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  const isBare = !/^https?:/i.test(text) && url.port === "" && !/:\d+$/.test(text);
  if (isBare) url.port = "11434";
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1`;
}
