import type { AllowList } from "./allow-list.ts";
import { EgressError } from "./egress-error.ts";
import { isRefusedName } from "./is-refused-name.ts";
import { shownHost, type Target } from "./parse-target.ts";
import type { ResolveHost } from "./resolve-host.ts";

export interface HostCheck {
  readonly allow: AllowList;
  readonly resolve: ResolveHost;
}

const unresolved = (host: string): EgressError =>
  new EgressError("egress.unresolved", `the host ${shownHost(host)} cannot be resolved`);

/** Rejects with the signal's reason as soon as it aborts; a resolver cannot be canceled. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

async function resolveAll(host: string, resolve: ResolveHost, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted();
  const answers = (async () => {
    try {
      return await resolve(host);
    } catch {
      throw unresolved(host);
    }
  })();
  const addresses = await untilAborted(answers, signal);
  if (addresses.length === 0) throw unresolved(host);
  return addresses;
}

/** Whether the operator named this host, so that nothing else about it is asked (B21). */
export function isNamed({ host }: Target, { allow }: HostCheck): boolean {
  return allow.hasHost(host);
}

/**
 * The addresses a request to this target may connect to: resolved once, every one of them public unicast or in an
 * allowed block (W3); of a host the operator named, whatever it resolves to.
 * @throws EgressError `egress.refused-host`, `egress.refused-address`, `egress.unresolved`
 */
export async function checkHost(target: Target, check: HostCheck, signal: AbortSignal): Promise<readonly string[]> {
  const { host, isAddress } = target;
  const named = isNamed(target, check);
  if (!named && isRefusedName(host)) {
    throw new EgressError("egress.refused-host", `the host ${shownHost(host)} is refused: it is not public`);
  }
  const addresses = isAddress ? [host] : await resolveAll(host, check.resolve, signal);
  if (named) return addresses;
  const { isPublicAddress } = await import("./is-public-address.ts");
  if (addresses.some((address) => !check.allow.hasAddress(address) && !isPublicAddress(address))) {
    throw new EgressError(
      "egress.refused-address",
      `the host ${shownHost(host)} is refused: it has an address that is not public`,
    );
  }
  return addresses;
}
