import { Check, Copy } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "../ui/index.ts";

const SHOWN_MS = 1_500;

/** Copies a text and confirms it. `label` names what: "Copy answer". */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <Button
      kind="quiet"
      icon
      small
      aria-label={copied ? "Copied" : label}
      title={copied ? "Copied" : label}
      onClick={() => void copyText(text).then(setCopied)}
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}

/** True: the text is in the clipboard. Without HTTPS browsers have no clipboard API, so `execCommand` is used. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "sr-only";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
