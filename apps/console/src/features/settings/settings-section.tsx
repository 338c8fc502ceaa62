import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { type FormEvent, type ReactElement, type ReactNode, useState } from "react";
import {
  counts,
  type Draft,
  type FieldGroup,
  type FieldSpec,
  SchemaField,
  shownValue,
} from "../../schema-form/index.ts";
import { Button, InlineError } from "../../ui/index.ts";
import { ProvenanceBadge, RestartBadge } from "./provenance-badge.tsx";
import { sectionTitle } from "./search-settings.ts";
import { readDraft, refusalOf, withEntered } from "./section-draft.ts";
import { isConflict, useSaveSettings, useSettings, useSources } from "./use-settings.ts";

/** Of a section. */
export interface SettingsSectionProps {
  /** Whole: what fields depend on may be among those that are not shown. */
  readonly group: FieldGroup;
  readonly revision: string;
  /** Keys that are shown; undefined: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Beside what saves. */
  readonly actions?: ReactNode;
  readonly title?: string;
}

/** A section of the settings as a form that is saved as one: all of it or nothing (document 2). */
export function SettingsSection({ group, revision, only, actions, title }: SettingsSectionProps): ReactElement {
  const [draft, setDraft] = useState<Draft>(() => new Map());
  const [tried, setTried] = useState(false);
  const save = useSaveSettings();
  const { fields } = group;
  const { updates, problems } = readDraft(fields, draft);
  const refused = refusalOf(save.error, [...draft.keys()]);
  const name = title ?? sectionTitle(group.section);
  const shown = fields.filter((field) => counts(field, fields, draft) && (only === undefined || only.has(field.key)));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (problems.size > 0 || draft.size === 0) return;
    const layer = fields.some(({ key, scope }) => draft.has(key) && scope === "host") ? "host" : "agent";
    await save.mutateAsync({ updates, layer, revision }).then(
      () => {
        setDraft(new Map());
        setTried(false);
      },
      // It is shown where it belongs; what was entered stays.
      () => {},
    );
  }
  function enter(field: FieldSpec, entered: string | boolean): void {
    save.reset();
    setDraft((before) => withEntered(before, field, entered));
  }

  return (
    <section aria-label={name}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <h2 className="pt-5 text-lg font-semibold">{name}</h2>
        <div className="divide-y divide-line">
          {shown.map((field) => (
            <SettingRow
              key={field.key}
              field={field}
              entered={draft.get(field.key)}
              error={refused.byKey.get(field.key) ?? (tried ? problems.get(field.key) : undefined)}
              onEnter={(entered) => enter(field, entered)}
              onTakenBack={() => setDraft((before) => withEntered(before, field, shownValue(field)))}
            />
          ))}
        </div>
        {(draft.size > 0 || save.isPending || actions !== undefined) && (
          <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-ground py-2.5">
            {draft.size > 0 && (
              <>
                <Button kind="primary" type="submit" busy={save.isPending}>
                  {draft.size === 1 ? "Save 1 change" : `Save ${draft.size} changes`}
                </Button>
                <Button
                  onClick={() => {
                    setDraft(new Map());
                    setTried(false);
                    save.reset();
                  }}
                >
                  Discard
                </Button>
              </>
            )}
            {actions}
            {refused.rest && <SaveProblem error={save.error} onReread={save.reset} />}
          </div>
        )}
      </form>
    </section>
  );
}

/** Why a section as a whole was not saved, and the way on. */
function SaveProblem({ error, onReread }: { readonly error: unknown; readonly onReread: () => void }): ReactElement {
  const { refetch } = useSettings();
  if (!isConflict(error)) return <InlineError error={error} />;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 text-sm">
      <p className="text-bad">{error instanceof Error ? error.message : String(error)}</p>
      <Button
        small
        onClick={() => {
          void refetch();
          onReread();
        }}
      >
        Read it again and keep my changes
      </Button>
    </div>
  );
}

interface SettingRowProps {
  readonly field: FieldSpec;
  readonly entered: string | boolean | undefined;
  readonly error: string | undefined;
  readonly onEnter: (entered: string | boolean) => void;
  readonly onTakenBack: () => void;
}

function SettingRow({ field, entered, error, onEnter, onTakenBack }: SettingRowProps): ReactElement {
  const reset = useSaveSettings();
  const place = useSources().get(field.key);
  const { source, scope } = field;
  // What another layer says is taken back there; the machine's file is nobody's to change from here.
  // Changed as any other it would lock its owner out.
  const ownPage = field.key === "auth.token" && !field.read_only;
  const resettable = !field.read_only && !ownPage && (source === "agent" || source === "secrets" || source === scope);
  return (
    <SchemaField
      spec={ownPage ? { ...field, read_only: true } : field}
      entered={entered}
      error={error}
      onEnter={onEnter}
      marks={
        <>
          <ProvenanceBadge source={source} place={place} />
          {field.restart && <RestartBadge />}
        </>
      }
    >
      {(source === "env" || source === "flag") && place !== undefined && (
        <p className="text-sm text-ink-soft">Set by {place}.</p>
      )}
      {ownPage && (
        <Link to="/settings/access" className="text-sm text-accent underline">
          Change it under Access token
        </Link>
      )}
      {resettable && entered === undefined && (
        <Button
          kind="quiet"
          small
          busy={reset.isPending}
          aria-label={`${resetWords(field)}: ${field.label}`}
          onClick={() =>
            reset.mutate(
              { reset: [field.key], layer: source === "host" ? "host" : "agent" },
              { onSuccess: onTakenBack },
            )
          }
        >
          <RotateCcw aria-hidden className="size-3.5" />
          {resetWords(field)}
        </Button>
      )}
      {reset.error !== null && <InlineError error={reset.error} />}
    </SchemaField>
  );
}

function resetWords({ type, default: fallback }: FieldSpec): string {
  if (type === "secret") return "Remove the secret";
  const words = typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "";
  return words === "" || words.length > 24 ? "Reset to the default" : `Reset to ${words}`;
}
