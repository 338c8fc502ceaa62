import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import {
  Button,
  count,
  duration,
  ErrorState,
  InlineError,
  Page,
  RelativeTime,
  SkeletonRows,
  UNKNOWN,
} from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { useSettings } from "./use-settings.ts";

/** The external secrets manager: its state, a fetch on demand, its settings with a test. Names only, never a value. */
export function SecretsPage(): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const { data: schema } = useSettings();
  const group = schema?.groups.find(({ section }) => section === "secrets_manager");
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ["secrets"],
    queryFn: () => operator.get("/api/secrets/status"),
  });
  const sync = useMutation({
    mutationFn: () => operator.post("/api/secrets/sync", { idempotencyKey: requestKey() }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["secrets"] }),
  });
  const trial = useMutation({ mutationFn: () => operator.post("/api/secrets/test", {}) });
  return (
    <Page
      title="Secrets manager"
      lead={<BackToSettings />}
      actions={
        data?.enabled === true && (
          <Button small busy={sync.isPending} onClick={() => sync.mutate()}>
            Fetch now
          </Button>
        )
      }
    >
      <div className="max-w-4xl px-4 pb-16">
        {isPending && <SkeletonRows rows={4} />}
        {error !== null && data === undefined && (
          <ErrorState title="The secrets manager's state cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {sync.error !== null && <InlineError error={sync.error} />}
        {data !== undefined && !data.enabled && (
          <p className="py-4 text-ink-soft">
            Keys can come from a secrets manager instead of files on this machine. Switch it on below, enter its address
            and its identity, and save; the page then shows whether it can be read.
          </p>
        )}
        {data?.enabled === true && <FetchStatus status={data} />}
        {schema !== undefined && group !== undefined && (
          <SettingsSection
            group={group}
            title="Its settings"
            actions={
              <Button busy={trial.isPending} onClick={() => trial.mutate()}>
                Test what is saved
              </Button>
            }
          />
        )}
        {trial.error !== null && <InlineError error={trial.error} />}
        {trial.data !== undefined && (
          <p role="status" className="flex flex-wrap items-center gap-2 py-2">
            <Outcome ok={trial.data.ok} error={trial.data.error} />
            {trial.data.ok && (
              <span>
                It has {count(trial.data.count)} {trial.data.count === 1 ? "secret" : "secrets"}
                {trial.data.names.length > 0 && `: ${trial.data.names.slice(0, 12).join(", ")}`}.
              </span>
            )}
          </p>
        )}
      </div>
    </Page>
  );
}

type Status = AnswerOf<Extract<OperatorDefinition, { readonly name: "secrets.status" }>>;

function FetchStatus({ status }: { readonly status: Status }): ReactElement {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-2 py-4">
      <Row name="Last fetch">
        <Outcome ok={status.ok} error={status.error} />
      </Row>
      <Row name="Last good one">{status.fetched_at === null ? UNKNOWN : <RelativeTime at={status.fetched_at} />}</Row>
      <Row name="Again every">{duration(status.refresh_seconds * 1000)}</Row>
      <Row name="Variables it owns">
        {count(status.applied)}
        {status.vars.length > 0 && <code className="block text-sm text-ink-soft">{status.vars.join(", ")}</code>}
      </Row>
      {status.shadowed.length > 0 && (
        <Row name="Set here already">
          <code className="text-sm">{status.shadowed.join(", ")}</code>
          <span className="block text-sm text-ink-soft">
            Set where the process was started. Those values take precedence.
          </span>
        </Row>
      )}
    </dl>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function Outcome({ ok, error }: { readonly ok: boolean | null; readonly error: string | null }): ReactElement {
  const [Icon, label, colour] =
    ok === null
      ? ([CircleDashed, "Nothing was fetched yet", "text-ink-soft"] as const)
      : ok
        ? ([CircleCheck, "Works", "text-good"] as const)
        : ([CircleX, "Failed", "text-bad"] as const);
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {label}
      {error !== null && error !== "" && `: ${error}`}
    </span>
  );
}
