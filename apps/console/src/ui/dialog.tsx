import { lazy, type ReactElement, Suspense, useState } from "react";
import type { DialogProps } from "./dialog-props.ts";

const load = (): Promise<typeof import("./dialog-popup.tsx")> => import("./dialog-popup.tsx");
const DialogPopup = lazy(load);

/** Loads what draws dialogs before the first one opens. Where that fails, the first one tries again. */
export function loadDialogs(): void {
  load().catch(() => {});
}

/** A modal dialog: it has the focus until it is closed. What draws it, 20 kB, is no part of the first page. */
export function Dialog(props: DialogProps): ReactElement | null {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}
