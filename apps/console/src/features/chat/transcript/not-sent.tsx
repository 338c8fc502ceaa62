import type { ReactElement } from "react";
import { Button } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import type { TurnRow, TurnView } from "./shown-turns.ts";

/** Shown below a message that the service has not accepted: why, and what to do with it. */
export function NotSent({
  view,
  row,
  onUnsent,
}: {
  readonly view: TurnView;
  readonly row: TurnRow;
  readonly onUnsent: (message: UnsentMessage) => void;
}): ReactElement {
  const { live } = useChat();
  const key = row.live ?? row.key;
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-md bg-bad-soft px-3 py-2">
      <p>Not sent: {view.failure?.message}</p>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={() => live.retry(key)}>
          Send again
        </Button>
        <Button
          small
          onClick={() => {
            const message = live.withdraw(key);
            if (message !== undefined) onUnsent(message);
          }}
        >
          Edit
        </Button>
      </div>
    </div>
  );
}
