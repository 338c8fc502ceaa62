import { Popover } from "@base-ui/react/popover";
import type { ReactElement, ReactNode, RefObject } from "react";
import { classNames } from "../ui/index.ts";

/** What a chip of the message box offers, above it. */
export function ChipPopover({
  anchor,
  title,
  className,
  onClose,
  children,
}: {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  /** For those who do not see what it belongs to. */
  readonly title: string;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Popover.Root
      open
      onOpenChange={(_open, { event }) => {
        // The chip itself closes what it opened.
        if (!(event.target instanceof Node && anchor.current?.contains(event.target) === true)) onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          side="top"
          align="start"
          sideOffset={8}
          collisionPadding={12}
          className="z-50"
        >
          <Popover.Popup
            finalFocus={anchor}
            className={classNames(
              "flex max-h-[min(28rem,var(--available-height))] max-w-[calc(100vw-1.5rem)] flex-col gap-2 rounded-lg bg-raised p-3 shadow-float outline-none transition-opacity duration-120 data-[starting-style]:opacity-0",
              className,
            )}
          >
            <Popover.Title className="sr-only">{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
