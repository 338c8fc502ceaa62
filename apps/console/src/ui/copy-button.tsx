import { Check, Copy } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 1_600;

/** Copies a text to the clipboard and confirms it. `label` names what: "Copy the address". */
export function CopyButton({
  text,
  label,
  showLabel = false,
}: {
  readonly text: string;
  readonly label: string;
  /** The label is visible; without it only screen readers have it. */
  readonly showLabel?: boolean;
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
  const caption = state === "copied" ? "Copied" : state === "failed" ? "Cannot copy here" : label;
  const Icon = state === "copied" ? Check : Copy;
  return (
    <Button
      kind={showLabel ? "secondary" : "quiet"}
      small
      icon={!showLabel}
      title={caption}
      onClick={() => void copy()}
    >
      <Icon aria-hidden className="size-4" />
      <span className={showLabel ? undefined : "sr-only"} aria-live="polite">
        {caption}
      </span>
    </Button>
  );
}

/** A text as code with a button that copies it. Line breaks are kept. */
export function CopyText({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-2.5">
      <pre className="min-w-0 flex-1 py-1 text-sm whitespace-pre-wrap">{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
