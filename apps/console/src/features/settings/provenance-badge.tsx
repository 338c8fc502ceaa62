import { Braces, FileText, KeyRound, Lock, RotateCw, Server, Terminal } from "lucide-react";
import type { ReactElement } from "react";
import type { FieldSpec } from "../../schema-form/index.ts";
import { classNames } from "../../ui/index.ts";

const LOOKS = {
  default: { icon: Braces, label: "Default", note: "Set nowhere: the default applies." },
  agent: { icon: FileText, label: "File", note: "From the agent's configuration file." },
  host: { icon: Server, label: "Host", note: "From the machine's host-config.yaml." },
  secrets: { icon: KeyRound, label: "Secret", note: "From the secrets file, beside the configuration." },
  env: {
    icon: Lock,
    label: "Environment",
    note: "Set by an environment variable; a saved value would have no effect.",
  },
  flag: {
    icon: Terminal,
    label: "Flag",
    note: "Set by a flag of the command line; a saved value would have no effect.",
  },
} as const;

const BADGE = "inline-flex items-center gap-1 rounded-sm px-1.5 text-xs whitespace-nowrap";

/** The layer of a value; file and line, or the variable, on hover. */
export function ProvenanceBadge({
  source,
  location,
}: {
  readonly source: FieldSpec["source"];
  readonly location?: string | undefined;
}): ReactElement {
  const { icon: Icon, label, note } = LOOKS[source];
  return (
    <span
      title={location === undefined ? note : `${note} ${location}`}
      className={classNames(BADGE, source === "default" ? "text-ink-soft" : "bg-sunken text-ink")}
    >
      <Icon aria-hidden className="size-3" />
      {label}
    </span>
  );
}

/** Marks a change that takes effect at the next start. */
export function RestartBadge(): ReactElement {
  return (
    <span title="A change takes effect at the next start." className={classNames(BADGE, "bg-sunken text-ink")}>
      <RotateCw aria-hidden className="size-3" />
      After a restart
    </span>
  );
}
