import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import {
  type ConnectionDraft,
  ConnectionFields,
  EMPTY_CONNECTION,
  LocalServers,
  ModelChoice,
  probeOf,
  problemOfAddress,
  problemOfId,
  suggestedId,
} from "../../connections/index.ts";
import { useNotices } from "../../notices/index.ts";
import { Button, failureOf, InlineError, TextField } from "../../ui/index.ts";
import type { Connection } from "./connection.ts";

/** Adds a connection, or changes one; tried before it is saved, if one wants. */
export function ConnectionForm({
  edited,
  taken,
  onDone,
}: {
  readonly edited: Connection | undefined;
  readonly taken: readonly string[];
  readonly onDone: () => void;
}): ReactElement {
  const [draft, setDraft] = useState<ConnectionDraft>({
    ...EMPTY_CONNECTION,
    id: edited?.id ?? "",
    baseUrl: edited?.base_url ?? "",
  });
  const [leads, setLeads] = useState(edited === undefined);
  const [tried, setTried] = useState(false);
  const id = edited?.id ?? (draft.id.trim() || suggestedId(draft.baseUrl, taken));
  const gateway = edited === undefined || edited.type === "compat-gateway";
  const addressError = gateway ? problemOfAddress(draft.baseUrl) : undefined;
  const idError = edited === undefined ? problemOfId(id, taken) : undefined;
  const save = useSaveConnection(edited);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (addressError !== undefined || idError !== undefined) return;
    save.mutate({ draft, id, leads: leads && draft.model.trim() !== "" }, { onSuccess: onDone });
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {edited === undefined && (
        <LocalServers onChoose={({ baseUrl, model }) => setDraft({ ...draft, baseUrl, model })} />
      )}
      <ConnectionFields
        draft={draft}
        onChange={setDraft}
        keySet={edited?.key_set ?? false}
        addressError={tried ? addressError : undefined}
      />
      {edited === undefined && (
        <TextField
          label="Name"
          placeholder={id}
          hint={`Models of it are called ${id}:… in settings.`}
          error={tried ? idError : undefined}
          value={draft.id}
          onChange={(event) => setDraft({ ...draft, id: event.target.value })}
        />
      )}
      <ModelChoice
        probe={probeOf(
          edited !== undefined && draft.baseUrl === edited.base_url ? { ...draft, baseUrl: "" } : draft,
          edited?.id,
        )}
        model={draft.model}
        disabled={addressError !== undefined}
        onChoose={(model) => setDraft({ ...draft, model })}
      />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={leads}
          onChange={(event) => setLeads(event.target.checked)}
        />
        Answer with this model
      </label>
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" type="submit" busy={save.isPending}>
          {edited === undefined ? "Add" : "Save"}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
      {save.error !== null && <InlineError error={save.error} />}
    </form>
  );
}

interface ConnectionSave {
  readonly draft: ConnectionDraft;
  readonly id: string;
  /** Its model becomes the lead. */
  readonly leads: boolean;
}

function useSaveConnection(edited: Connection | undefined) {
  const { operator } = useApi();
  const queries = useQueryClient();
  const tell = useNotices();
  return useMutation({
    mutationFn: async ({ draft: { baseUrl, apiKey, model }, id, leads }: ConnectionSave) => {
      const fields = {
        ...(baseUrl.trim() !== (edited?.base_url ?? "") && { base_url: baseUrl.trim() }),
        ...(apiKey.trim() !== "" && { api_key: apiKey.trim() }),
      };
      const saved =
        edited === undefined
          ? await operator.post("/api/providers", {
              body: { id, type: "compat-gateway", ...fields },
              idempotencyKey: requestKey(),
            })
          : await operator.put("/api/providers/{id}", { params: { id }, body: fields });
      if (leads) {
        const updates = { "model.name": `${id}:${model.trim()}` };
        try {
          await operator.post("/api/settings", { body: { updates }, idempotencyKey: requestKey() });
        } catch (cause) {
          const { message } = failureOf(cause);
          throw new Error(`The connection is saved, but its model does not lead: ${message}`, { cause });
        }
      }
      return saved;
    },
    onSuccess: ({ messages }) => tell({ text: messages.join(" "), tone: "good" }),
    onSettled: () =>
      Promise.all(["providers", "settings", "runtime"].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}
