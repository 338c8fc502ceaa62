import { ShieldOff } from "lucide-react";
import { type ReactElement, useCallback } from "react";
import { Button } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import type { OutgoingMessage } from "../live/outgoing-message.ts";
import { useBypass } from "./use-bypass.ts";

/** Above the message box, while approvals are bypassed in the conversation. */
export function BypassBanner({ conversation }: { readonly conversation: string }): ReactElement | null {
  const { isOn, set } = useBypass(conversation);
  if (!isOn) return null;
  return (
    <section
      aria-label="Approvals are bypassed"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-sunken px-4 py-2 text-sm"
    >
      <ShieldOff aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <p className="min-w-0 flex-1 basis-72 text-ink-soft">
        <strong className="font-semibold text-ink">Approvals are bypassed in this chat.</strong> From your next message
        on, commands and tools of MCP servers run without asking you; each is marked in the steps.
      </p>
      <Button small onClick={() => set(false)}>
        Ask me again
      </Button>
    </section>
  );
}

/** Sends with what was chosen for the conversation; a new one keeps the choice under its own name. */
export function useBypassing(
  conversation: string,
  name: string,
  send: (message: OutgoingMessage) => void,
): (message: OutgoingMessage) => void {
  const { bypass } = useChat();
  const { isOn: bypassApprovals } = useBypass(conversation);
  return useCallback(
    (message: OutgoingMessage) => {
      bypass.rename(conversation, name);
      send({ ...message, bypassApprovals });
    },
    [bypass, conversation, name, send, bypassApprovals],
  );
}
