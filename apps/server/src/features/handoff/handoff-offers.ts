/**
 * Conversations that can be continued in an editor: in memory, 120 s each, the newest first (F26). There is one offer per
 * root of a project and one per conversation at the same time. All of it happens at once, so no two claims get the same.
 */
import { parse, relative, sep } from "node:path";
import type { Clock } from "@agent-service/agent-core/host";

const LIFETIME_MS = 120_000;
/** Without a project there is one per conversation: beyond these the oldest goes. */
const MOST = 100;
/** How far above a root an editor's folder may lie. */
const MOST_LEVELS = 3;

/** What is handed to the editor. */
export interface Handoff {
  readonly session: string;
  /** Absent: any folder will do. */
  readonly project: { readonly name: string; readonly root: string } | undefined;
  readonly path: string | null;
  readonly line: number | null;
  readonly title: string | null;
}

export interface HandoffOffer extends Handoff {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

interface HandoffOffersOptions {
  readonly clock: Pick<Clock, "now">;
  readonly newId: () => string;
  /** The user's, by its real path. */
  readonly userHome: string;
}

export class HandoffOffers {
  readonly #options: HandoffOffersOptions;
  /** The oldest first. */
  #offers: readonly HandoffOffer[] = [];

  constructor(options: HandoffOffersOptions) {
    this.#options = options;
  }

  add(handoff: Handoff): HandoffOffer {
    const { clock, newId } = this.#options;
    const offer = { ...handoff, id: newId(), expiresAt: clock.now() + LIFETIME_MS };
    const isReplaced = ({ session, project }: HandoffOffer): boolean =>
      session === offer.session || (project !== undefined && project.root === offer.project?.root);
    const others = this.#current().filter((other) => !isReplaced(other));
    this.#offers = [...others.slice(1 - MOST), offer];
    return offer;
  }

  /** Removes and returns the newest one for an editor in this folder, with all others of its conversation. */
  claim(folder: string): HandoffOffer | undefined {
    const { userHome } = this.#options;
    if (folder === parse(folder).root) return undefined;
    const claimed = this.#current().findLast(
      ({ project }) => project === undefined || (folder !== userHome && isNear(project.root, folder)),
    );
    if (claimed !== undefined) this.forget(claimed.session);
    return claimed;
  }

  withdraw(id: string): void {
    this.#offers = this.#offers.filter((offer) => offer.id !== id);
  }

  forget(session: string): void {
    this.#offers = this.#offers.filter((offer) => offer.session !== session);
  }

  #current(): readonly HandoffOffer[] {
    const now = this.#options.clock.now();
    return this.#offers.filter(({ expiresAt }) => expiresAt > now);
  }
}

/** Whether a folder is the root, lies in it, or at most so many levels above it. */
function isNear(root: string, folder: string): boolean {
  const inside = relative(root, folder);
  if (!isAbove(inside)) return true;
  const above = relative(folder, root);
  return !isAbove(above) && above.split(sep).length <= MOST_LEVELS;
}

function isAbove(way: string): boolean {
  return way === ".." || way.startsWith(`..${sep}`);
}
