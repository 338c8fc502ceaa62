import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { useApi, useConnection, useRuntimeStatus } from "../api/index.ts";
import { buttonClass } from "../ui/index.ts";

/** What the operator should know before anything else; each line goes when its cause does. */
export function Banners(): ReactElement | null {
  const status = useRuntimeStatus();
  const connection = useConnection();
  const [failing, forget] = useFailingWebhooks();
  const warnings = status?.warnings ?? [];
  const isScripted = status?.model.provider === "scripted";
  return (
    <div role="status" className="flex flex-col">
      {connection === "lost" && <Line>The connection to the agent is lost. Trying again…</Line>}
      {isScripted && (
        <Line>
          The scripted model answers, which is no language model.{" "}
          <Link
            to={status.setup_complete ? "/settings/connections" : "/setup"}
            className="font-medium underline underline-offset-2"
          >
            Connect one
          </Link>
        </Line>
      )}
      {warnings
        .filter((warning) => !(isScripted && warning.includes("scripted model")))
        .map((warning) => (
          <Line key={warning}>{warning}</Line>
        ))}
      {failing.length > 0 && (
        <Line>
          <span className="flex-1">Webhooks were given up after all tries: {failing.join(", ")}.</span>
          <button
            type="button"
            aria-label="Dismiss"
            className={buttonClass({ kind: "quiet", icon: true, small: true })}
            onClick={forget}
          >
            <X aria-hidden className="size-4" />
          </button>
        </Line>
      )}
    </div>
  );
}

function Line({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-1 border-b border-line bg-waiting-soft px-4 py-1 text-sm text-ink">
      {children}
    </div>
  );
}

/** Hosts whose webhooks were given up since the page was opened. */
function useFailingWebhooks(): readonly [hosts: readonly string[], forget: () => void] {
  const { events } = useApi();
  const [hosts, setHosts] = useState<readonly string[]>([]);
  useEffect(
    () =>
      events.listen(({ topic, data }) => {
        if (topic === "webhook.failed") setHosts((all) => [...new Set([...all, String(data.host)])].slice(-5));
      }),
    [events],
  );
  return [hosts, () => setHosts([])];
}
