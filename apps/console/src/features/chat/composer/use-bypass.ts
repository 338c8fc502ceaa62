import { useCallback, useSyncExternalStore } from "react";
import { useRuntimeStatus } from "../../../api/index.ts";
import { useChat } from "../chat-context.tsx";

/** Whether approvals are bypassed in a conversation (F12). */
export interface BypassState {
  /** The settings let it be switched on. */
  readonly isAllowed: boolean;
  /** It is on, and allowed. */
  readonly isOn: boolean;
  readonly set: (on: boolean) => void;
}

export function useBypass(conversation: string): BypassState {
  const { bypass } = useChat();
  const isAllowed = useRuntimeStatus()?.approvals.bypass_allowed === true;
  const isOn = useSyncExternalStore(bypass.subscribe, () => bypass.isOn(conversation));
  const set = useCallback((on: boolean) => bypass.set(conversation, on), [bypass, conversation]);
  return { isAllowed, isOn: isAllowed && isOn, set };
}
