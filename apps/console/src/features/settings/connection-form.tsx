import { type FormEvent, type ReactElement, useState } from "react";
import { flushSync } from "react-dom";
import {
  type ConnectionDraft,
  ConnectionFields,
  type ConnectionType,
  EMPTY_CONNECTION,
  isSubscription,
  LocalServers,
  ModelChoice,
  type Probe,
  probeOf,
  problemOfAddress,
  problemOfId,
  problemsOfTokens,
  SubscriptionFields,
  suggestedId,
  type TokenProblems,
  TrialOutcome,
  useConnectionTest,
} from "../../connections/index.ts";
import { Button, CheckField, focusInvalid, InlineError, SelectField, TextField } from "../../ui/index.ts";
import { type Connection, typeLabel } from "./connection.ts";
import { useSaveConnection } from "./use-save-connection.ts";

/** Adds or changes a connection, with an optional test before it is saved. */
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
    type: edited === undefined || edited.type === "scripted" ? "compat-gateway" : edited.type,
    id: edited?.id ?? "",
    baseUrl: edited?.base_url ?? "",
  });
  const [leads, setLeads] = useState(edited === undefined);
  const [tried, setTried] = useState(false);
  const [keyless, setKeyless] = useState(false);
  const id = edited?.id ?? (draft.id.trim() || suggestedId(draft, taken));
  const subscription = isSubscription(draft.type);
  const keySet = edited?.key_set ?? false;
  const moves = movesKey(draft, edited);
  const problems = problemsOf(draft, edited, { id, taken, keyless });
  const isWrong = Object.values(problems).some((problem) => problem !== undefined);
  const save = useSaveConnection(edited);
  const test = useConnectionTest(probeFor(draft, edited), draft.model, !subscription);
  const cannotTest = problems.address !== undefined || (subscription && !keySet && draft.apiKey.trim() === "");
  const shown = tried ? problems : {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    flushSync(() => setTried(true));
    if (isWrong) focusInvalid(event.currentTarget);
    else
      save.mutate(
        { draft, id, leads: leads && draft.model.trim() !== "", keyless: moves && keyless },
        { onSuccess: onDone },
      );
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <EndpointFields
        draft={draft}
        onChange={setDraft}
        edited={edited}
        problems={{ ...shown, address: shown.address ?? test.problems.address, key: shown.key ?? test.problems.key }}
      />
      {moves && draft.apiKey.trim() === "" && (
        <Check label="The new address needs no key" checked={keyless} onChange={setKeyless} />
      )}
      {edited === undefined && (
        <TextField
          label="Name"
          placeholder={id}
          hint={`Its models are named ${id}:… in settings.`}
          error={tried ? problems.id : undefined}
          value={draft.id}
          onChange={(event) => setDraft({ ...draft, id: event.target.value })}
        />
      )}
      <TestedModel
        test={test}
        model={draft.model}
        onChoose={(model) => setDraft({ ...draft, model })}
        canList={!subscription}
        disabled={cannotTest}
      />
      <Check label="Answer with this model" checked={leads} onChange={setLeads} />
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

/** A connection at its saved address is tested with its saved key. */
function probeFor(draft: ConnectionDraft, edited: Connection | undefined): Probe {
  const isThere = edited !== undefined && draft.baseUrl === edited.base_url;
  return probeOf(isThere ? { ...draft, baseUrl: "" } : draft, edited?.id);
}

/** The model to answer with, from what the server lists, and a test of it. */
function TestedModel({
  test,
  model,
  onChoose,
  canList,
  disabled,
}: {
  readonly test: ReturnType<typeof useConnectionTest>;
  readonly model: string;
  readonly onChoose: (model: string) => void;
  readonly canList: boolean;
  /** There is no connection to test yet. */
  readonly disabled: boolean;
}): ReactElement {
  return (
    <>
      <ModelChoice
        models={test.models}
        model={model}
        reading={test.isListing}
        error={test.problems.model}
        onChoose={onChoose}
      />
      <div className="flex flex-wrap gap-2">
        {canList && (
          <Button busy={test.isListing} disabled={disabled} onClick={() => test.list()}>
            List models
          </Button>
        )}
        <Button
          busy={test.isTrying}
          disabled={disabled || model.trim() === ""}
          onClick={() => void test.attempt().catch(() => undefined)}
        >
          Test
        </Button>
      </div>
      {test.problems.other !== undefined && <InlineError error={test.problems.other} />}
      {test.error !== null && <InlineError error={test.error} />}
      {test.outcome !== undefined && test.trial !== undefined && <TrialOutcome trial={test.trial} />}
    </>
  );
}

function Check({
  label,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactElement {
  return (
    <CheckField
      label={label}
      className="gap-2"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

interface ConnectionProblems extends TokenProblems {
  readonly address?: string | undefined;
  readonly id?: string | undefined;
  readonly key?: string | undefined;
}

/** Whether the address changes of a connection that has a key, which goes only to the stored address. */
function movesKey({ type, baseUrl }: ConnectionDraft, edited: Connection | undefined): boolean {
  return edited?.key_set === true && !isSubscription(type) && baseUrl.trim() !== edited.base_url;
}

function problemsOf(
  draft: ConnectionDraft,
  edited: Connection | undefined,
  { id, taken, keyless }: { readonly id: string; readonly taken: readonly string[]; readonly keyless: boolean },
): ConnectionProblems {
  const idProblem = edited === undefined ? problemOfId(id, taken) : undefined;
  if (isSubscription(draft.type)) return { ...problemsOfTokens(draft, edited?.key_set ?? false), id: idProblem };
  const isKeyMissing = movesKey(draft, edited) && !keyless && draft.apiKey.trim() === "";
  return {
    address: problemOfAddress(draft.baseUrl),
    id: idProblem,
    key: isKeyMissing ? "Enter the key for the new address." : undefined,
  };
}

const TYPES: readonly ConnectionType[] = ["compat-gateway", "oauth-subscription-a", "oauth-subscription-b"];

/** Address and key of a connection; for a new one also its type. */
function EndpointFields({
  draft,
  onChange,
  edited,
  problems,
}: {
  readonly draft: ConnectionDraft;
  readonly onChange: (draft: ConnectionDraft) => void;
  readonly edited: Connection | undefined;
  readonly problems: ConnectionProblems;
}): ReactElement {
  const { type, id, model } = draft;
  const isNew = edited === undefined;
  const fields = { draft, onChange, keySet: edited?.key_set ?? false };
  return (
    <>
      {isNew && (
        <SelectField
          label="Type"
          value={type}
          onChange={(event) => {
            const chosen = TYPES.find((one) => one === event.target.value) ?? type;
            onChange({ ...EMPTY_CONNECTION, type: chosen, id, model });
          }}
        >
          {TYPES.map((one) => (
            <option key={one} value={one}>
              {typeLabel(one)}
            </option>
          ))}
        </SelectField>
      )}
      {isNew && !isSubscription(type) && <LocalServers onChoose={(server) => onChange({ ...draft, ...server })} />}
      {isSubscription(type) ? (
        <SubscriptionFields {...fields} problems={problems} />
      ) : (
        <ConnectionFields {...fields} addressError={problems.address} keyError={problems.key} />
      )}
    </>
  );
}
