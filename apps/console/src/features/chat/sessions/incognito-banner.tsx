import { Ghost } from "lucide-react";
import type { ReactElement } from "react";
import { Button, InlineError } from "../../../ui/index.ts";
import { useSessionRemoval } from "./use-session-actions.ts";

/** Above an incognito conversation: what is not kept of it and what is, and how it ends. */
export function IncognitoBanner({ session }: { readonly session: string }): ReactElement {
  const erase = useSessionRemoval(session, true, () => {});
  return (
    <section
      aria-label="Incognito"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-sunken px-4 py-2 text-sm"
    >
      <Ghost aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <p className="min-w-0 flex-1 basis-72 text-ink-soft">
        <strong className="font-semibold text-ink">Incognito.</strong> Not kept: messages, answers, titles, prompts,
        files and memory. Kept: usage numbers, and audit lines with the arguments of tools. It ends when you close it,
        after twelve hours without a message, or when the service restarts.
      </p>
      {erase.error !== null && <InlineError error={erase.error} />}
      <Button small kind="danger" busy={erase.isPending} onClick={() => erase.mutate({ retire: true, forget: false })}>
        Close and erase
      </Button>
    </section>
  );
}
