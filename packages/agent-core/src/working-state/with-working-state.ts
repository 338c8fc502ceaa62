import type { RecalledMemory, TurnContext } from "../event/index.ts";
import { composeWorkingState, type ShownWorkingState } from "./compose-working-state.ts";
import type { WorkingAsk, WorkingPart, WorkingSource } from "./working-part.ts";

/** What a turn asks with before its first model call. */
interface Ask {
  readonly view: WorkingAsk;
  readonly inSight: ReadonlySet<string>;
}

type Recall<A, Found> = (ask: A) => Found | Promise<Found | undefined> | undefined;
type Parts = readonly (WorkingPart | undefined)[];

/**
 * Shows what is open behind what is remembered, as one part of the turn's message (G26). Where a source fails, turns go on
 * without; undefined: there is nothing to ask.
 */
export function withWorkingState<A extends Ask>(
  recall: Recall<A, RecalledMemory> | undefined,
  sources: readonly WorkingSource[],
  onFailure: (error: unknown) => void,
): Recall<A, TurnContext> | undefined {
  if (recall === undefined && sources.length === 0) return undefined;
  const failed = (error: unknown): undefined => {
    onFailure(error);
    return undefined;
  };
  const stateOf = (ask: A): ShownWorkingState | undefined | Promise<ShownWorkingState | undefined> => {
    const shown = (parts: Parts): ShownWorkingState | undefined =>
      composeWorkingState(
        parts.filter((part) => part !== undefined),
        ask.inSight,
      );
    try {
      const parts = sources.map((source) => source(ask.view));
      const isReady = !parts.some((part) => part instanceof Promise);
      return isReady
        ? shown(parts as Parts)
        : Promise.all(parts.map((part) => Promise.resolve(part)))
            .then(shown)
            .catch(failed);
    } catch (error) {
      return failed(error);
    }
  };
  return (ask) => {
    const remembered = recall?.(ask);
    const state = stateOf(ask);
    if (!(remembered instanceof Promise) && !(state instanceof Promise)) return joined(remembered, state);
    return Promise.all([remembered, state]).then(([memory, open]) => joined(memory, open));
  };
}

function joined(memory: RecalledMemory | undefined, open: ShownWorkingState | undefined): TurnContext | undefined {
  if (memory === undefined && open === undefined) return undefined;
  return {
    text: [memory?.text ?? "", open?.text ?? ""].filter((text) => text !== "").join("\n\n"),
    refs: [...(memory?.refs ?? []), ...(open === undefined ? [] : [open.ref])],
    outside: memory?.outside === true || open?.outside === true,
    from: memory?.outside === true ? "memory" : "working state",
    record: memory?.record,
  };
}
