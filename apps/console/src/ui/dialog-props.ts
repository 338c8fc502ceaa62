import type { ReactNode, RefObject } from "react";

/** What a dialog is made from. */
export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** A sheet comes from the side and keeps what is under it in place; one from the bottom is in reach of a thumb. */
  readonly sheet?: boolean | "bottom";
  /** The element that gets the focus when it opens. Default: the first that can. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
}
