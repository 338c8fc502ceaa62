import { Check, Copy } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 1_600;

/** Puts a text on the clipboard, and says that it did. `label` says what: "Copy the address". */
export function CopyButton({
  text,
  label,
  words = false,
}: {
  readonly text: string;
  readonly label: string;
  /** The label is shown, and not for screen readers alone. */
  readonly words?: boolean;
}): ReactElement {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
    window.setTimeout(() => setState("idle"), SHOWN_MS);
  }
  const said = state === "copied" ? "Copied" : state === "failed" ? "Cannot copy here" : label;
  const Icon = state === "copied" ? Check : Copy;
  return (
    <Button kind={words ? "secondary" : "quiet"} small icon={!words} title={said} onClick={() => void copy()}>
      <Icon aria-hidden className="size-4" />
      <span className={words ? undefined : "sr-only"} aria-live="polite">
        {said}
      </span>
    </Button>
  );
}

/** A text to take away, in the type of code, with its button. Several lines keep their breaks. */
export function CopyText({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-2.5">
      <pre className="min-w-0 flex-1 py-1 text-sm whitespace-pre-wrap">{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
