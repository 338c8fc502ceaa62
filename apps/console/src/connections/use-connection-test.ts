import { useState } from "react";
import { type Probe, problemOfAddress } from "./connection-draft.ts";
import { useModelListing, useModelTrial } from "./model-trial.tsx";

/** What is wrong with an entry, by the field to correct; `other`: no field is at fault. */
export interface EntryProblems {
  readonly address?: string;
  readonly key?: string;
  readonly model?: string;
  readonly other?: string;
}

/**
 * Tests a connection while it is entered: its list of models when the address or the key is left, one answer and one tool
 * call of the model when that is chosen. Only the outcome for what is entered now counts.
 */
export function useConnectionTest(probe: Probe, model: string, canList: boolean) {
  const listing = useModelListing();
  const trial = useModelTrial();
  const [listed, setListed] = useState("");
  const [tried, setTried] = useState("");
  const server = JSON.stringify(probe);
  const whole = JSON.stringify([probe, model]);
  const list = listed === server ? listing.data : undefined;
  const outcome = tried === whole ? trial.data : undefined;
  const problem = outcome?.problem ?? list?.problem ?? undefined;
  const canAsk = (asked: Probe): boolean => isSaved(asked) || problemOfAddress(asked.api_base) === undefined;
  return {
    /** Undefined until the server listed them. */
    models: list?.problem === null ? list.details : undefined,
    outcome,
    trial: outcome === undefined && !trial.isPending ? undefined : trial,
    isListing: listing.isPending && listed === server,
    isTrying: trial.isPending && tried === whole,
    problems: problem === undefined ? {} : ({ [problem.field ?? "other"]: problem.text } as EntryProblems),
    /** Asks the server for its models, once for one entry. */
    list(asked: Probe = probe): void {
      const key = JSON.stringify(asked);
      if (!canList || key === listed || !canAsk(asked)) return;
      setListed(key);
      listing.mutate(asked);
    },
    /** Tries a model of the server, once for one entry; resolves with the outcome. */
    async attempt(chosen: string = model): Promise<typeof trial.data> {
      const key = JSON.stringify([probe, chosen]);
      if (key === tried && trial.data !== undefined) return trial.data;
      if (chosen.trim() === "" || !canAsk(probe)) return undefined;
      setTried(key);
      return trial.mutateAsync({ ...probe, model: chosen.trim() });
    },
    error: listing.error ?? trial.error,
  };
}

/** A probe without an address is of a saved connection, or of a subscription. */
function isSaved({ api_base, provider }: Probe): boolean {
  return api_base === "" && provider !== "compat-gateway";
}
