import { Link } from "@tanstack/react-router";
import { ShieldCheck, ShieldX } from "lucide-react";
import type { ReactElement } from "react";
import { useRuntimeStatus } from "../../../api/index.ts";
import { CopyText } from "../../../ui/index.ts";
import { sandboxSentence } from "./sandbox-sentence.ts";

const INSTALL = "apt-get install bubblewrap";

/** Which sandbox commands run in, or how to get one; and where the folders are chosen. */
export function SandboxState({ wanted }: { readonly wanted: unknown }): ReactElement | null {
  const status = useRuntimeStatus();
  if (status === undefined) return null;
  const { provider, usable, reason } = status.sandbox;
  const isUsed = usable && wanted !== "off";
  const Icon = isUsed ? ShieldCheck : ShieldX;
  return (
    <section aria-label="Sandbox" className="mt-4 flex items-start gap-2.5 rounded-md bg-sunken px-3 py-2.5">
      <Icon aria-hidden className={isUsed ? "mt-0.5 size-5 shrink-0 text-good" : "mt-0.5 size-5 shrink-0 text-bad"} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p>{sandboxSentence({ provider, usable, wanted })}</p>
        {!usable && wanted !== "off" && <HowToGetOne provider={provider} reason={reason ?? ""} />}
        <p className="text-sm text-ink-soft">
          The folders that the agent works in are chosen under{" "}
          <Link to="/projects" className="text-accent underline">
            Projects
          </Link>
          .
        </p>
      </div>
    </section>
  );
}

function HowToGetOne({ provider, reason }: { readonly provider: string; readonly reason: string }): ReactElement {
  const why = <p className="text-sm text-ink-soft">{asSentence(reason)}</p>;
  if (provider !== "bubblewrap") return why;
  if (!reason.includes("not installed")) {
    return (
      <>
        {why}
        <p className="text-sm text-ink-soft">It is installed, and the system must let users make namespaces.</p>
      </>
    );
  }
  return (
    <>
      {why}
      <CopyText text={INSTALL} label="Copy the command" />
      <p className="text-sm text-ink-soft">Then restart the service. Other systems have it under the same name.</p>
    </>
  );
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
