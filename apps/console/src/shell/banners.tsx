import { Link, useMatches } from "@tanstack/react-router";
import { CirclePause, FlaskConical, KeyRound, type LucideIcon, TriangleAlert, Unplug } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useConnection, useRuntimeStatus } from "../api/index.ts";
import { useServersWaiting } from "./use-servers-waiting.ts";

/** Warnings above every screen; each line disappears with its cause. */
export function Banners(): ReactElement | null {
  const status = useRuntimeStatus();
  const connection = useConnection();
  const servers = useServersWaiting(status?.features.mcp?.enabled === true);
  const isSetup = useMatches({ select: (matches) => matches.some(({ fullPath }) => fullPath === "/setup") });
  const isScripted = status?.model.provider === "scripted";
  const warnings = (status?.warnings ?? []).filter((warning) => !(isScripted && warning.includes("scripted model")));
  return (
    <div role="status" className="flex flex-col">
      {connection === "lost" && <Line icon={Unplug}>The connection to the agent is lost. Reconnecting…</Line>}
      {isScripted && !isSetup && (
        <Line icon={FlaskConical}>
          You are trying the demo.{" "}
          <Link
            to={status.setup_complete ? "/settings/connections" : "/setup"}
            className="font-medium whitespace-nowrap text-accent underline underline-offset-2"
          >
            Connect a model
          </Link>
        </Line>
      )}
      {status?.graph_auth_error != null && (
        <Line icon={KeyRound}>
          {status.graph_auth_error.provider} refuses its key: {status.graph_auth_error.message}{" "}
          <Link
            to="/settings/connections"
            className="font-medium whitespace-nowrap text-accent underline underline-offset-2"
          >
            Change it
          </Link>
        </Line>
      )}
      {servers !== undefined && (
        <Line icon={CirclePause}>
          {servers.text}{" "}
          <Link to={servers.to} className="font-medium whitespace-nowrap text-accent underline underline-offset-2">
            {servers.action}
          </Link>
        </Line>
      )}
      {warnings.map((warning) => (
        <Line key={warning} icon={TriangleAlert}>
          {warning}
        </Line>
      ))}
    </div>
  );
}

function Line({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex min-h-8 items-start gap-2 border-b border-line bg-sunken px-4 py-1.5 text-sm text-ink max-list:text-xs">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-soft" />
      <p className="min-w-0">{children}</p>
    </div>
  );
}
