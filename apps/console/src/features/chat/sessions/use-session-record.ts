import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../api/index.ts";
import { useIsRemoving } from "./removal.ts";

type SessionRecord = AnswerOf<Extract<OperatorDefinition, { readonly name: "sessions.read" }>>;

/** The record of a session that the service has (`isKnown`); undefined until it is read. `whole`: the conversation that it is a version of. */
export function useSessionRecord(
  session: string,
  isKnown: boolean,
  whole: string = session,
): SessionRecord | undefined {
  const { operator } = useApi();
  const removing = useIsRemoving(whole);
  return useQuery({
    queryKey: ["sessions", session, "record"],
    enabled: isKnown && !removing,
    queryFn: () => operator.get("/api/chat/sessions/{id}", { params: { id: session } }),
  }).data;
}
