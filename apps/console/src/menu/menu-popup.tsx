import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, RefObject } from "react";
import { classNames } from "../ui/index.ts";
import type { MenuAction } from "./menu-action.ts";

/** The actions of an open menu beside its button. */
export default function MenuPopup({
  open,
  onOpenChange,
  actions,
  button,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly actions: readonly MenuAction[];
  readonly button: RefObject<HTMLButtonElement | null>;
}): ReactElement {
  return (
    <Base.Root modal={false} open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Positioner anchor={button} sideOffset={4} align="end" className="z-50">
          <Base.Popup
            finalFocus={button}
            className="min-w-48 rounded-lg border border-line bg-raised p-1 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0"
          >
            {actions.map(({ label, icon: Icon, run, keys, danger = false }) => (
              <Base.Item
                key={label}
                onClick={run}
                className={classNames(
                  "flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 outline-none select-none data-highlighted:bg-hover",
                  danger && "text-bad",
                )}
              >
                <Icon aria-hidden className="size-4 shrink-0" />
                <span className="flex-1">{label}</span>
                {keys !== undefined && <kbd className="text-xs text-ink-soft">{keys}</kbd>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
