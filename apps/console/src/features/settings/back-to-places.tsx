import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ReactElement } from "react";
import { buttonClass } from "../../ui/index.ts";

/** On a phone the list of places is a page of its own; this goes back to it. */
export function BackToPlaces(): ReactElement {
  return (
    <Link
      to="/settings"
      className={`-order-1 list:hidden ${buttonClass({ kind: "quiet", icon: true, small: true })}`}
      aria-label="Back to all places of the settings"
    >
      <ChevronLeft aria-hidden className="size-4" />
    </Link>
  );
}
