import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, KeyRound, Plus } from "lucide-react";
import { type ReactElement, useState } from "react";
import { requestKey, useApi, useRuntimeStatus } from "../../api/index.ts";
import { isSubscription, TrialOutcome, useModelTrial } from "../../connections/index.ts";
import { useNotices } from "../../notices/index.ts";
import { Button, Dialog, ErrorState, InlineError, Page, SkeletonRows } from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { type Connection, typeLabel } from "./connection.ts";
import { ConnectionForm } from "./connection-form.tsx";
import { ConnectionModels } from "./connection-models.tsx";

/** The connections to models: add, change and test them, and choose the default and the favourites. */
export function ConnectionsPage(): ReactElement {
  const { operator } = useApi();
  // The first page has 200 of them.
  const list = useQuery({ queryKey: ["providers", "list"], queryFn: () => operator.get("/api/providers") });
  const [form, setForm] = useState<{ readonly edited?: Connection } | undefined>(undefined);
  const connections = list.data?.providers ?? [];
  const lead = useRuntimeStatus()?.model.name;
  return (
    <Page
      title="Connections"
      lead={<BackToSettings />}
      actions={
        <Button kind="primary" small onClick={() => setForm({})}>
          <Plus aria-hidden className="size-4" />
          Add
        </Button>
      }
    >
      <div className="max-w-4xl px-4 pb-16">
        {list.isPending && <SkeletonRows />}
        {list.error !== null && list.data === undefined && (
          <ErrorState title="The connections cannot be read" error={list.error} onRetry={() => void list.refetch()} />
        )}
        <ul className="divide-y divide-line">
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              lead={connection.lead ? lead : undefined}
              onEdit={() => setForm({ edited: connection })}
            />
          ))}
        </ul>
      </div>
      <Dialog
        sheet
        open={form !== undefined}
        onOpenChange={(open) => !open && setForm(undefined)}
        title={form?.edited === undefined ? "Add a connection" : `Change ${form.edited.id}`}
      >
        {form !== undefined && (
          <ConnectionForm
            edited={form.edited}
            taken={connections.map(({ id }) => id)}
            onDone={() => setForm(undefined)}
          />
        )}
      </Dialog>
    </Page>
  );
}

function ConnectionRow({
  connection,
  lead,
  onEdit,
}: {
  readonly connection: Connection;
  readonly lead: string | undefined;
  readonly onEdit: () => void;
}): ReactElement {
  const { id, type, label, base_url: address, key_set: keySet } = connection;
  const trial = useModelTrial();
  const [models, setModels] = useState(false);
  // One that no file names, such as the default gateway, cannot be deleted.
  const isDeclared = type !== "scripted" && Object.keys(connection.sources).length > 0;
  return (
    <li className="flex flex-col gap-2 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-display text-lg font-semibold">{label === "" ? id : label}</h2>
        {label !== "" && <code className="text-sm text-ink-soft">{id}</code>}
        {connection.lead && (
          <span className="inline-flex items-center gap-1 text-sm font-medium text-good">
            <CircleCheck aria-hidden className="size-4" />
            Default{lead !== undefined && `: ${lead}`}
          </span>
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
        <span>{typeLabel(type)}</span>
        {address !== "" && <span>{address}</span>}
        <span className="inline-flex items-center gap-1">
          <KeyRound aria-hidden className="size-3.5" />
          {keySet ? "Key set" : "No key"}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {!isSubscription(type) && (
          <Button small aria-expanded={models} onClick={() => setModels(!models)}>
            Models
          </Button>
        )}
        {connection.lead && (
          <Button
            small
            busy={trial.isPending}
            onClick={() => trial.mutate({ provider: id, api_base: "", api_key: "", model: "" })}
          >
            Test
          </Button>
        )}
        {type !== "scripted" && (
          <Button small onClick={onEdit}>
            Change
          </Button>
        )}
        {isDeclared && <RemoveConnection id={id} />}
      </div>
      <TrialOutcome trial={trial} />
      {models && <ConnectionModels connection={connection} />}
    </li>
  );
}

function RemoveConnection({ id }: { readonly id: string }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => operator.delete("/api/providers/{id}", { params: { id }, idempotencyKey: requestKey() }),
    onSuccess: async () => {
      notify({ text: `Removed ${id} and its key.`, tone: "good" });
      await queries.invalidateQueries({ queryKey: ["providers"] });
    },
  });
  if (!asked) {
    return (
      <Button small kind="danger" onClick={() => setAsked(true)}>
        Remove
      </Button>
    );
  }
  return (
    <>
      <Button small kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
        Remove {id} and its key
      </Button>
      <Button
        small
        onClick={() => {
          setAsked(false);
          remove.reset();
        }}
      >
        Keep it
      </Button>
      {remove.error !== null && <InlineError error={remove.error} />}
    </>
  );
}
