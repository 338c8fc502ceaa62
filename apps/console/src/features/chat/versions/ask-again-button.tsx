import { RotateCcw } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button, Dialog } from "../../../ui/index.ts";

/** Has a turn answered again; asks first where tools were called in it, for they may act again. */
export function AskAgainButton({
  hasActed,
  isAsking,
  onAsk,
}: {
  readonly hasActed: boolean;
  readonly isAsking: boolean;
  readonly onAsk: () => void;
}): ReactElement {
  // Undefined until first opened: every visible turn has this button.
  const [confirming, setConfirming] = useState<boolean>();
  return (
    <>
      <Button
        kind="quiet"
        icon
        small
        aria-label="Retry"
        title="Retry"
        disabled={isAsking}
        onClick={() => (hasActed ? setConfirming(true) : onAsk())}
      >
        <RotateCcw aria-hidden className="size-4" />
      </Button>
      {confirming !== undefined && (
        <Dialog open={confirming} onOpenChange={setConfirming} title="Ask this again?">
          <p className="mb-3">
            Tools were used for this answer. What they did is not undone, and they may act again. The answer there is
            now stays, as a version.
          </p>
          <div className="flex gap-2">
            <Button
              kind="primary"
              busy={isAsking}
              onClick={() => {
                setConfirming(false);
                onAsk();
              }}
            >
              Ask again
            </Button>
            <Button onClick={() => setConfirming(false)}>Leave it</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
