import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi, useRuntimeStatus } from "../../../api/index.ts";
import { CheckField } from "../../../ui/index.ts";
import { forgottenWords } from "./forgotten-words.ts";

/** Offers to forget what a conversation left in memory too, and counts it. Nothing where it left nothing. */
export function WhatGoes({
  session,
  forgets,
  onForgets,
}: {
  readonly session: string;
  readonly forgets: boolean;
  readonly onForgets: (forgets: boolean) => void;
}): ReactElement | null {
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
  if (words === undefined) return null;
  return (
    <CheckField
      label={`Forget what it left in memory too: ${words}. Else the memories stay.`}
      checked={forgets}
      onChange={({ target }) => onForgets(target.checked)}
    />
  );
}
