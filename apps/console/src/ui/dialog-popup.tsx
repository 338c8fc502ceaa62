import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactElement } from "react";
import { buttonClass } from "./button.tsx";
import { classNames } from "./class-names.ts";
import type { DialogProps } from "./dialog-props.ts";

const POSITIONS = {
  side: "inset-y-0 right-0 w-full max-w-lg border-l border-line data-[starting-style]:translate-x-4",
  middle:
    "inset-x-3 top-[8vh] mx-auto max-h-[84vh] w-auto max-w-lg rounded-lg border border-line data-[starting-style]:translate-y-1",
  bottom:
    "inset-x-0 bottom-0 mx-auto max-h-[84vh] max-w-lg rounded-t-lg border-t border-line data-[starting-style]:translate-y-4",
} as const;

/** A modal dialog: it has the focus until it is closed. */
export default function DialogPopup({
  open,
  onOpenChange,
  title,
  description,
  children,
  sheet = false,
  initialFocus,
}: DialogProps): ReactElement {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup
          initialFocus={initialFocus}
          className={classNames(
            "fixed z-50 flex flex-col bg-raised shadow-float outline-none transition-[opacity,transform] duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0",
            POSITIONS[sheet === true ? "side" : sheet === false ? "middle" : sheet],
          )}
        >
          <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-2.5">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            <Base.Close aria-label="Close" className={buttonClass({ kind: "quiet", icon: true, small: true })}>
              <X aria-hidden className="size-4" />
            </Base.Close>
          </div>
          {description !== undefined && (
            <Base.Description className="px-4 pt-3 text-ink-soft">{description}</Base.Description>
          )}
          <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
