import { type ReactElement, useMemo } from "react";
import { Dialog } from "../../ui/index.ts";
import { SandboxedFrame } from "./sandboxed-frame.tsx";

/** A page that a model wrote, as it looks and works, without network and without a way out of its frame. */
export function Preview({ html, onClose }: { readonly html: string; readonly onClose: () => void }): ReactElement {
  const message = useMemo(() => ({ html }), [html]);
  return (
    <Dialog open onOpenChange={onClose} title="Preview">
      <SandboxedFrame
        page="preview"
        title="Preview of the page"
        message={message}
        className="h-[60dvh] w-full rounded-md border border-line bg-white"
      />
      <p className="mt-2 text-sm text-ink-soft">It has no network: pictures and scripts from elsewhere do not load.</p>
    </Dialog>
  );
}
