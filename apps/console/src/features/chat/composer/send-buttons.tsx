import { ArrowUp, CornerDownRight, MessageCircleReply, Square } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../../../ui/index.ts";
import type { Intent } from "./intent.ts";

const LOOKS = {
  send: { label: "Send", icon: ArrowUp },
  steer: { label: "Add", icon: CornerDownRight },
  answer: { label: "Answer", icon: MessageCircleReply },
} as const;

/** The button that does what Enter does; while a turn runs, Stop is beside it, or alone where the message is blank. */
export function SendButtons({
  intent,
  empty,
  onStop,
}: {
  readonly intent: Intent["kind"];
  /** Nothing is written. */
  readonly empty: boolean;
  /** Stops the turn that runs; undefined where none does. */
  readonly onStop: (() => void) | undefined;
}): ReactElement {
  const { label, icon: Icon } = LOOKS[intent];
  const isAlone = onStop !== undefined && empty && intent !== "answer";
  return (
    <>
      {onStop !== undefined && (
        <Button kind={isAlone ? "primary" : "secondary"} aria-keyshortcuts="Escape" title="Esc" onClick={onStop}>
          <Square aria-hidden className="size-3.5 fill-current" /> <span className="max-list:sr-only">Stop</span>
        </Button>
      )}
      {!isAlone && (
        <Button kind="primary" type="submit" disabled={empty}>
          <Icon aria-hidden className="size-4.5" /> <span className="max-list:sr-only">{label}</span>
        </Button>
      )}
    </>
  );
}
