import { useIsMutating } from "@tanstack/react-query";

/** Names the mutation that deletes or clears a conversation. */
export function removalKey(session: string): readonly string[] {
  return ["remove", session];
}

/** Whether a conversation is being removed: its events come before the answer, and nothing of it is to be read then. */
export function useIsRemoving(session: string): boolean {
  return useIsMutating({ mutationKey: removalKey(session) }) > 0;
}
