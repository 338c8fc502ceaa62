import type { ReactElement } from "react";
import { Button, ScrollRegion } from "../../ui/index.ts";

/** A value that was saved elsewhere since a person began to change it; the person chooses which one to keep. */
export function OtherValue({
  label,
  text,
  onInsist,
  onTake,
}: {
  readonly label: string;
  /** The saved value; blank: none. */
  readonly text: string;
  readonly onInsist: () => void;
  readonly onTake: () => void;
}): ReactElement {
  return (
    <div role="alert" className="flex w-full flex-col gap-1.5 text-sm">
      <p className="text-bad">It was changed elsewhere since you began. The saved value is now:</p>
      <ScrollRegion
        label={`${label}, as it is elsewhere`}
        className="max-h-40 overflow-auto rounded-md bg-sunken px-2.5 py-1.5"
      >
        <pre className="whitespace-pre-wrap">{text === "" ? "Nothing" : text}</pre>
      </ScrollRegion>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={onInsist}>
          Keep mine
        </Button>
        <Button small onClick={onTake}>
          Take that one
        </Button>
      </div>
    </div>
  );
}
