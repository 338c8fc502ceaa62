import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";

const TABS = [
  { to: "/approvals", label: "Waiting" },
  { to: "/approvals/remembered", label: "Always allowed" },
] as const;

/** The top line of the screen, with links to its two pages. */
export function ApprovalTabs(): ReactElement {
  return (
    <nav aria-label="Approvals" className="flex gap-0.5 max-list:order-last max-list:w-full">
      {TABS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          className="inline-flex min-h-9 items-center rounded-md px-2.5 font-medium whitespace-nowrap text-ink-soft hover:bg-hover hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
