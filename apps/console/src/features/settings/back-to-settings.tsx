import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ReactElement } from "react";
import { buttonClass } from "../../ui/index.ts";

/** Returns to the navigation of the settings, which on a phone is a page of its own. */
export function BackToSettings(): ReactElement {
  return (
    <Link
      to="/settings"
      className={`-order-1 list:hidden ${buttonClass({ kind: "quiet", icon: true, small: true })}`}
      aria-label="Back to all settings"
    >
      <ChevronLeft aria-hidden className="size-4" />
    </Link>
  );
}
