import type { LucideIcon } from "lucide-react";
import { lazy, type ReactElement, Suspense, useRef, useState } from "react";
import { Button } from "../ui/index.ts";
import type { MenuAction } from "./menu-action.ts";

// 40 kB: loaded when a menu is opened first.
const MenuPopup = lazy(() => import("./menu-popup.tsx"));

/** A button that opens a menu of actions. Arrow keys, the first letter and Escape work in it. */
export function Menu({
  label,
  icon: Icon,
  actions,
  className,
}: {
  /** Of the button. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly actions: readonly MenuAction[];
  readonly className?: string | undefined;
}): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  // Undefined until first opened.
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        icon
        small
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open === true}
        className={className}
        onClick={() => setOpen(open !== true)}
      >
        <Icon aria-hidden className="size-4.5" />
      </Button>
      {open !== undefined && (
        <Suspense>
          <MenuPopup open={open} onOpenChange={setOpen} actions={actions} button={button} />
        </Suspense>
      )}
    </>
  );
}
