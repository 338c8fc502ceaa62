import type { ReactElement } from "react";
import { Button, Elapsed } from "../../ui/index.ts";
import { Refusal } from "./refusal.tsx";
import type { Cloning } from "./use-cloning.ts";

/** A clone that runs or failed while its dialog is closed. */
export function CloneLine({
  cloning: { wanted, isRunning, startedAt, error, stop, forget },
  isHidden,
  onOpen,
}: {
  readonly cloning: Cloning;
  readonly isHidden: boolean;
  readonly onOpen: () => void;
}): ReactElement | null {
  if (isHidden || (!isRunning && error === null)) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-sunken px-3 py-2">
      <div className="min-w-0 flex-1 basis-60">
        {isRunning ? (
          <p>
            Cloning <span className="font-medium break-all">{wanted?.repo}</span>{" "}
            <span className="text-ink-soft tabular-nums">
              <Elapsed since={startedAt} />
            </span>
          </p>
        ) : (
          <>
            <p className="break-all">{wanted?.repo} was not cloned.</p>
            <Refusal error={error} />
          </>
        )}
      </div>
      {isRunning ? (
        <Button small onClick={stop}>
          Stop
        </Button>
      ) : (
        <>
          <Button small onClick={onOpen}>
            Try again
          </Button>
          <Button small kind="quiet" onClick={forget}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
}
