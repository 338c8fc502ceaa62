import { Link, Navigate, useLocation } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef } from "react";
import { useRuntimeStatus } from "../api/index.ts";
import { EmptyState, SkeletonRows } from "../ui/index.ts";
import { type Part, partsFor } from "./parts-for.ts";

/** Links to the parts of a screen, in its top line. */
export function PartTabs({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }): ReactElement {
  const status = useRuntimeStatus();
  const { pathname } = useLocation();
  const shown = partsFor(parts, status?.features);
  const line = useRef<HTMLElement>(null);
  // On a phone the line is longer than the screen: where one is, is in sight. The links are there once the status is.
  useEffect(() => {
    const here = pathname !== "" && shown.length > 0 && line.current?.querySelector("[data-status=active]");
    if (here) here.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [pathname, shown.length]);
  return (
    <nav
      ref={line}
      aria-label={label}
      className="-m-1 flex min-w-0 gap-0.5 overflow-x-auto p-1 max-list:order-last max-list:w-full"
    >
      {shown.map(({ path, label: name }) => (
        <Link
          key={path}
          to={path}
          className="inline-flex min-h-9 items-center rounded-md px-2.5 font-medium whitespace-nowrap text-ink-soft hover:bg-hover hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Goes to the first part that exists. */
export function FirstPart({ parts }: { readonly parts: readonly Part[] }): ReactElement {
  const status = useRuntimeStatus();
  if (status === undefined) return <SkeletonRows />;
  const [first] = partsFor(parts, status.features);
  if (first === undefined)
    return (
      <EmptyState drawing="search" title="There is nothing here">
        This part does not exist on this service.
      </EmptyState>
    );
  return <Navigate to={first.path} replace />;
}
