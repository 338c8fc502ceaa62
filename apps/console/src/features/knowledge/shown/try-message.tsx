import { type FormEvent, type ReactElement, useState } from "react";
import { Button, InlineError, ScrollRegion, TextArea } from "../../../ui/index.ts";
import { shownFacts, shownTitle } from "./shown-words.ts";
import { usePreview } from "./use-injections.ts";
import { WhatIsShown } from "./what-is-shown.tsx";

/** Tries what a message would be shown in a new conversation; nothing is stored, and no model is asked. */
export function TryMessage(): ReactElement {
  const [message, setMessage] = useState("");
  const preview = usePreview();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    preview.mutate(message);
  };
  return (
    <section aria-label="Try a message" className="mt-4 flex flex-col gap-3 rounded-md border border-line p-4">
      <form className="flex flex-col items-start gap-3" onSubmit={submit}>
        <div className="w-full">
          <TextArea
            label="What would a message be shown?"
            hint="As in a new conversation. Nothing is stored, and no model is asked."
            rows={2}
            maxLength={32_768}
            value={message}
            onChange={({ target }) => setMessage(target.value)}
          />
        </div>
        <Button type="submit" busy={preview.isPending} disabled={message.trim() === ""}>
          Try it
        </Button>
      </form>
      {preview.error !== null && <InlineError error={preview.error} />}
      {preview.data !== undefined && (
        <div role="status" className="flex flex-col gap-1.5">
          <TryResult preview={preview.data.preview} />
        </div>
      )}
    </section>
  );
}

function TryResult({ preview }: NonNullable<ReturnType<typeof usePreview>["data"]>): ReactElement {
  if (preview === null) return <p>There is no memory that it could be shown.</p>;
  return (
    <>
      <p className="font-medium">{shownTitle({ ...preview, in_sight: [] })}</p>
      <p className="text-sm text-ink-soft">{shownFacts(preview)}</p>
      <WhatIsShown shown={preview} />
      {preview.text !== "" && (
        <ScrollRegion label="As the model would read it" className="max-h-80 overflow-auto rounded-md bg-sunken p-3">
          <pre className="text-sm break-words whitespace-pre-wrap">{preview.text}</pre>
        </ScrollRegion>
      )}
    </>
  );
}
