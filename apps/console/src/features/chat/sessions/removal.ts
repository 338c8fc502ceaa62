import { useIsMutating } from "@tanstack/react-query";

/** The key of the mutation that deletes or clears a conversation. */
export function removalKey(session: string): readonly string[] {
  return ["remove", session];
}

/** Whether a conversation is being removed. Events of the removal arrive before its response; reading again then would fail. */
export function useIsRemoving(session: string): boolean {
  return useIsMutating({ mutationKey: removalKey(session) }) > 0;
}
