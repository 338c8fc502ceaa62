import type { ReactElement } from "react";
import { Button, ScrollRegion } from "../../ui/index.ts";

/** What somebody else saved of the same since a person began to change it; the person says which counts. */
export function OtherValue({
  label,
  words,
  onInsist,
  onTake,
}: {
  readonly label: string;
  /** The value as it is now; blank: none. */
  readonly words: string;
  readonly onInsist: () => void;
  readonly onTake: () => void;
}): ReactElement {
  return (
    <div role="alert" className="flex w-full flex-col gap-1.5 text-sm">
      <p className="text-bad">It was changed elsewhere since you began. There it is now:</p>
      <ScrollRegion
        label={`${label}, as it is elsewhere`}
        className="max-h-40 overflow-auto rounded-md bg-sunken px-2.5 py-1.5"
      >
        <pre className="whitespace-pre-wrap">{words === "" ? "Nothing" : words}</pre>
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
