import { Braces, FileText, KeyRound, Lock, RotateCw, Server, Terminal } from "lucide-react";
import type { ReactElement } from "react";
import type { FieldSpec } from "../../schema-form/index.ts";
import { classNames } from "../../ui/index.ts";

const LOOKS = {
  default: { icon: Braces, word: "Default", says: "Nothing says otherwise: the default counts." },
  agent: { icon: FileText, word: "File", says: "From the agent's configuration file." },
  host: { icon: Server, word: "Host", says: "From the machine's host-config.yaml." },
  secrets: { icon: KeyRound, word: "Secret", says: "From the secrets file, beside the configuration." },
  env: { icon: Lock, word: "Environment", says: "An environment variable owns it; a saved value would not count." },
  flag: { icon: Terminal, word: "Flag", says: "A flag of the command line owns it; a saved value would not count." },
} as const;

const BADGE = "inline-flex items-center gap-1 rounded-sm px-1.5 text-xs whitespace-nowrap";

/** Where a value comes from; the place itself on hover. */
export function ProvenanceBadge({
  source,
  place,
}: {
  readonly source: FieldSpec["source"];
  readonly place?: string | undefined;
}): ReactElement {
  const { icon: Icon, word, says } = LOOKS[source];
  return (
    <span
      title={place === undefined ? says : `${says} ${place}`}
      className={classNames(BADGE, source === "default" ? "text-ink-soft" : "bg-sunken text-ink")}
    >
      <Icon aria-hidden className="size-3" />
      {word}
    </span>
  );
}

/** Says that a change waits for the next start. */
export function RestartBadge(): ReactElement {
  return (
    <span title="A change counts from the next start on." className={classNames(BADGE, "bg-sunken text-ink")}>
      <RotateCw aria-hidden className="size-3" />
      After a restart
    </span>
  );
}
