/** Hosts that do not take their webhooks. */
export interface WebhookWatch {
  /** A webhook to this host was given up. */
  failed(host: string): void;
  /** One arrived there. True: the ones before did not. */
  arrived(host: string): boolean;
  /** Hosts whose last webhook was given up, the newest last. */
  failing(): readonly string[];
}

/** More hosts than these are not read in a warning. */
const MOST = 20;

/** Remembers whose last webhook was given up, so that the status can say so until one arrives there, or the next start. */
export function watchWebhooks(): WebhookWatch {
  const hosts = new Set<string>();
  return {
    failed(host) {
      hosts.delete(host);
      hosts.add(host);
      const [oldest] = hosts;
      if (hosts.size > MOST && oldest !== undefined) hosts.delete(oldest);
    },
    arrived: (host) => hosts.delete(host),
    failing: () => [...hosts],
  };
}
