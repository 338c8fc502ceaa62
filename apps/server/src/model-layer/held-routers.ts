import type { ModelRouter, ModelUse } from "@agent-service/agent-core/host";

/** The routers of current and former settings: a former one serves the turns that began with it (S8), then it closes. */
export interface HeldRouters {
  /** The router of the current settings; the previous one becomes a former one. */
  open(router: ModelRouter): { readonly use: ModelUse };
  close(): Promise<void>;
}

interface HeldRouter {
  readonly router: ModelRouter;
  /** Number of turns that use it. */
  turns: number;
}

export function heldRouters(): HeldRouters {
  const held = new Set<HeldRouter>();
  let current: HeldRouter | undefined;
  const closeUnused = (one: HeldRouter): void => {
    if (one === current || one.turns > 0 || !held.delete(one)) return;
    // Its sockets have no user any more; one that cannot be closed ends with the process.
    one.router.close().catch(() => {});
  };
  return {
    open(router) {
      const former = current;
      const fresh: HeldRouter = { router, turns: 0 };
      current = fresh;
      held.add(fresh);
      if (former !== undefined) closeUnused(former);
      const use: ModelUse = {
        begin: () => void fresh.turns++,
        end() {
          fresh.turns--;
          closeUnused(fresh);
        },
      };
      return { use };
    },
    async close() {
      const all = [...held];
      held.clear();
      await Promise.all(all.map(({ router }) => router.close()));
    },
  };
}
