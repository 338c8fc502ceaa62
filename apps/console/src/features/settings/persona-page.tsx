import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import { Button, count, ErrorState, InlineError, Page, SelectField, SkeletonRows, TextArea } from "../../ui/index.ts";
import { BackToPlaces } from "./back-to-places.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { isConflict, useSettings } from "./use-settings.ts";

/** Who the agent is: its name, and the text that says how it is to be. */
export function PersonaPage(): ReactElement {
  const { operator } = useApi();
  const { data: schema } = useSettings();
  const identity = schema?.groups.find(({ section }) => section === "identity");
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ["config", "persona"],
    queryFn: () => operator.get("/api/config"),
  });
  return (
    <Page title="Name and persona" lead={<BackToPlaces />}>
      <div className="mx-auto max-w-4xl px-4 pb-16">
        {schema !== undefined && identity !== undefined && (
          <SettingsSection group={identity} revision={schema.revision} />
        )}
        {isPending && <SkeletonRows />}
        {error !== null && data === undefined && (
          <ErrorState title="The persona cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && <PersonaEditor soul={data.soul} fixed={data.managed} />}
      </div>
    </Page>
  );
}

function PersonaEditor({ soul, fixed }: { readonly soul: string; readonly fixed: boolean }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const tell = useNotices();
  const [edit, setEdit] = useState<{ readonly text: string; readonly of: string } | undefined>(undefined);
  const save = useMutation({
    mutationFn: (text: string) => operator.post("/api/config", { body: { soul: text }, idempotencyKey: requestKey() }),
    onSuccess: async () => {
      tell({ text: "Saved the persona. It counts from the next turn on.", tone: "good" });
      await queries.invalidateQueries({ queryKey: ["config"] });
      setEdit(undefined);
    },
  });
  const text = edit?.text ?? soul;
  const enter = (next: string): void => setEdit(next === soul ? undefined : { text: next, of: edit?.of ?? soul });
  const overtaken = edit !== undefined && edit.of !== soul;
  return (
    <section aria-label="Persona" className="flex flex-col gap-3 pt-6">
      <div className="flex flex-wrap items-end gap-3">
        <div className="mr-auto">
          <h2 className="text-lg font-semibold">Persona</h2>
          <p className="text-sm text-ink-soft">
            Markdown, kept as SOUL.md beside the configuration. It stands at the head of everything the model is told.
          </p>
        </div>
        {!fixed && <Presets onChoose={enter} />}
      </div>
      <TextArea
        label="Persona"
        bare
        rows={20}
        className="font-mono text-sm"
        readOnly={fixed}
        value={text}
        hint={`${count(text.length)} characters`}
        onChange={(event) => enter(event.target.value)}
      />
      {fixed && (
        <p className="text-ink-soft">The configuration folder cannot be written, so it is changed elsewhere.</p>
      )}
      {overtaken && (
        <p role="alert" className="text-sm text-bad">
          The persona was changed elsewhere since you began. Saving puts yours in its place; discarding shows the other.
        </p>
      )}
      {edit !== undefined && (
        <div className="sticky bottom-0 flex gap-2 border-t border-line bg-ground py-2.5">
          <Button kind="primary" busy={save.isPending} onClick={() => save.mutate(edit.text)}>
            Save the persona
          </Button>
          <Button onClick={() => setEdit(undefined)}>Discard</Button>
        </div>
      )}
      {save.error !== null && !isConflict(save.error) && <InlineError error={save.error} />}
      {isConflict(save.error) && <InlineError error="The configuration cannot be saved from here at the moment." />}
    </section>
  );
}

/** Personas that ship, to begin with. */
function Presets({ onChoose }: { readonly onChoose: (text: string) => void }): ReactElement {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["config", "setup-status"],
    queryFn: () => operator.get("/api/config/setup-status"),
  });
  const read = useMutation({
    mutationFn: (name: string) => operator.get("/api/config/presets/{name}", { params: { name } }),
    onSuccess: ({ content }) => onChoose(content),
  });
  return (
    <div className="w-60">
      <SelectField
        label="Begin with"
        value=""
        disabled={read.isPending}
        onChange={(event) => event.target.value !== "" && read.mutate(event.target.value)}
      >
        <option value="">A persona that ships…</option>
        {data?.presets.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      {read.error !== null && <InlineError error={read.error} />}
    </div>
  );
}
