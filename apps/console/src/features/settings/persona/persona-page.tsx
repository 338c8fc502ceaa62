import type { OperatorClient } from "@agent-service/operator-api/client";
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import {
  Button,
  count,
  ErrorState,
  InlineError,
  Page,
  SelectField,
  SkeletonRows,
  TextArea,
} from "../../../ui/index.ts";
import { BackToSettings } from "../back-to-settings.tsx";
import { OtherValue } from "../other-value.tsx";
import { afterSave, EMPTY_DRAFT } from "../section-draft.ts";
import { SettingsSection } from "../settings-section.tsx";
import { useDraft } from "../unsaved.tsx";
import { OvertakenError, useSettings } from "../use-settings.ts";
import { PersonaHistory } from "./persona-history.tsx";

/** The agent's name and its persona. */
export function PersonaPage(): ReactElement {
  const { operator } = useApi();
  const { data: schema } = useSettings();
  const identity = schema?.groups.find(({ section }) => section === "identity");
  const { data, error, refetch, isPending } = useQuery(personaQuery(operator));
  return (
    <Page title="Name and persona" lead={<BackToSettings />}>
      <div className="max-w-4xl px-4 pb-16">
        {schema !== undefined && identity !== undefined && <SettingsSection group={identity} />}
        {isPending && <SkeletonRows />}
        {error !== null && data === undefined && (
          <ErrorState title="The persona cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && <PersonaEditor soul={data.soul} fixed={data.managed} />}
        {data !== undefined && <PersonaHistory fixed={data.managed} />}
      </div>
    </Page>
  );
}

function personaQuery(operator: OperatorClient) {
  return { queryKey: ["config", "persona"], queryFn: () => operator.get("/api/config") };
}

/** Key of the persona among the unsaved changes. */
const SOUL = "soul";

function PersonaEditor({ soul, fixed }: { readonly soul: string; readonly fixed: boolean }): ReactElement {
  const [draft, change] = useDraft(SOUL);
  const save = useSavePersona();
  const entry = draft.get(SOUL);
  const text = typeof entry?.entered === "string" ? entry.entered : soul;
  const isChanged = entry !== undefined && text !== soul;
  const isContested = isChanged && entry.over !== soul && !save.isPending;
  function enter(next: string): void {
    if (save.isError) save.reset();
    change((before) =>
      next === soul ? EMPTY_DRAFT : new Map([[SOUL, { entered: next, over: before.get(SOUL)?.over ?? soul }]]),
    );
  }
  return (
    <section aria-label="Persona" className="flex flex-col gap-3 pt-6">
      <div className="flex flex-wrap items-end gap-3">
        <div className="mr-auto">
          <h2 className="font-display text-lg font-semibold">Persona</h2>
          <p className="text-sm text-ink-soft">
            Markdown, kept as SOUL.md beside the configuration. Every prompt of the model begins with it.
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
      {isContested && (
        <OtherValue
          label="Persona"
          text={soul}
          onInsist={() => change(() => new Map([[SOUL, { entered: text, over: soul }]]))}
          onTake={() => enter(soul)}
        />
      )}
      {isChanged && (
        <div className="sticky bottom-0 flex gap-2 border-t border-line bg-ground py-2.5">
          <Button
            kind="primary"
            busy={save.isPending}
            disabled={isContested}
            onClick={() =>
              save.mutate(
                { text, over: entry.over },
                { onSuccess: () => change((before) => afterSave([], before, draft)) },
              )
            }
          >
            Save the persona
          </Button>
          <Button onClick={() => enter(soul)}>Discard</Button>
        </div>
      )}
      {save.error !== null && !isContested && <InlineError error={save.error} />}
    </section>
  );
}

interface PersonaChange {
  readonly text: string;
  /** The saved text when the change began, or the one the person saw since. */
  readonly over: unknown;
}

/** Replaces the persona that the person saw. Rejects with `OvertakenError` where it has changed since. */
function useSavePersona(): UseMutationResult<void, Error, PersonaChange> {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  return useMutation({
    mutationFn: async ({ text, over }: PersonaChange) => {
      const { soul } = await queries.fetchQuery({ ...personaQuery(operator), staleTime: 0 });
      if (soul !== over) throw new OvertakenError();
      await operator.post("/api/config", { body: { soul: text }, idempotencyKey: requestKey() });
      notify({ text: "Saved the persona. It applies from the next turn on.", tone: "good" });
      await queries.invalidateQueries({ queryKey: ["config"] });
    },
  });
}

/** The bundled personas to start from. */
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
        <option value="">Start from a template…</option>
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
