import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { boxClass, classNames } from "../../ui/index.ts";

const PARTS = [
  { to: "/files", label: "Files" },
  { to: "/files/changes", label: "Changes" },
] as const;

/** Which project is looked at, and what of it. */
export function ProjectBar({
  names,
  project,
}: {
  readonly names: readonly string[];
  readonly project: string | undefined;
}): ReactElement | null {
  const navigate = useNavigate();
  const at = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, "") });
  if (project === undefined) return null;
  const part = PARTS.findLast(({ to }) => at.endsWith(to)) ?? PARTS[0];
  const options = names.includes(project) ? names : [...names, project];
  return (
    <>
      <div className="max-w-48 min-w-0">
        <select
          aria-label="Project"
          value={project}
          onChange={({ target }) => void navigate({ to: part.to, search: { project: target.value } })}
          className={classNames(boxClass, "min-h-8 py-0.5 text-sm")}
        >
          {options.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <nav aria-label="Parts of files" className="flex gap-0.5">
        {PARTS.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            search={{ project }}
            aria-current={to === part.to ? "page" : undefined}
            className={classNames(
              "inline-flex min-h-9 items-center rounded-md px-2.5 font-medium whitespace-nowrap",
              to === part.to ? "bg-accent-soft text-accent" : "text-ink-soft hover:bg-hover hover:text-ink",
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}
