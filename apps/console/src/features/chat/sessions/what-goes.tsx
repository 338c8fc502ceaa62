import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi, useRuntimeStatus } from "../../../api/index.ts";
import { CheckField } from "../../../ui/index.ts";
import { endedWords, forgottenWords } from "./forgotten-words.ts";
import { useWhatEnds } from "./use-what-ends.ts";

/** Counts what goes with a conversation, and offers to forget what it left in memory too. Nothing where there is nothing. */
export function WhatGoes({
  session,
  forgets,
  onForgets,
}: {
  readonly session: string;
  readonly forgets: boolean;
  readonly onForgets: (forgets: boolean) => void;
}): ReactElement {
  const { operator } = useApi();
  const isThere = useRuntimeStatus()?.features.memory_inspector?.available === true;
  const { data } = useQuery({
    queryKey: ["knowledge", "of-session", session],
    queryFn: () => operator.post("/api/memory/forget", { body: { session_id: session, dry_run: true } }),
    enabled: isThere,
    // It changes with each turn.
    staleTime: 0,
  });
  const words = forgottenWords(data?.counts);
  const ended = endedWords(useWhatEnds(session));
  return (
    <>
      {ended !== undefined && <p>{ended}</p>}
      {words !== undefined && (
        <CheckField
          label={`Forget what it left in memory too: ${words}. Else the memories stay.`}
          className="gap-2"
          checked={forgets}
          onChange={({ target }) => onForgets(target.checked)}
        />
      )}
    </>
  );
}
