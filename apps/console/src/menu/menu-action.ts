import type { LucideIcon } from "lucide-react";

/** One action of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
  /** The key that does the same where the menu belongs to. */
  readonly keys?: string;
  readonly danger?: boolean;
}
