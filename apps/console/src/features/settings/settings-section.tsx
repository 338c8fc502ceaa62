import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { counts, type FieldGroup, type FieldSpec, SchemaField, shownValue } from "../../schema-form/index.ts";
import { Button, InlineError } from "../../ui/index.ts";
import { OtherValue } from "./other-value.tsx";
import { ProvenanceBadge, RestartBadge } from "./provenance-badge.tsx";
import { enteredIn, insisted, refusalOf, standing, withEntered } from "./section-draft.ts";
import { useSectionDraft } from "./use-section-draft.ts";
import { fieldOf, useSaveSettings, useSources } from "./use-settings.ts";

export interface SettingsSectionProps {
  /** All fields, as a shown one may depend on one that is not shown. */
  readonly group: FieldGroup;
  /** Keys that are shown; undefined: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Actions beside the save button. */
  readonly actions?: ReactNode;
  readonly title?: string;
}

/** A section of the settings as a form that is saved as one: all of it or nothing. */
export function SettingsSection({ group, only, actions, title }: SettingsSectionProps): ReactElement {
  const { draft, contested, problems, save, submit, edit, discard } = useSectionDraft(group);
  const { fields } = group;
  const entered = enteredIn(draft);
  const refused = refusalOf(save.error, [...draft.keys()]);
  const name = title ?? group.title;
  // Changed fields are shown whatever the search.
  const isShown = (key: string): boolean => only === undefined || only.has(key) || draft.has(key);
  const shown = fields.filter((field) => isShown(field.key) && counts(field, fields, entered));

  return (
    <section aria-label={name}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <h2 className="pt-5 font-display text-lg font-semibold">{name}</h2>
        {title === undefined && <p className="text-sm text-ink-soft">{group.description}</p>}
        <div className="divide-y divide-line">
          {shown.map((field) => (
            <SettingRow
              key={field.key}
              field={field}
              entered={entered.get(field.key)}
              contested={contested.has(field.key)}
              error={refused.byKey.get(field.key) ?? problems?.get(field.key)}
              onEnter={(value) => edit((before) => withEntered(before, field, value))}
              onInsist={() => edit((before) => insisted(before, field))}
            />
          ))}
        </div>
        {(draft.size > 0 || actions !== undefined) && (
          <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-ground py-2.5">
            {draft.size > 0 && (
              <>
                <Button kind="primary" type="submit" busy={save.isPending} disabled={contested.size > 0}>
                  {draft.size === 1 ? "Save 1 change" : `Save ${draft.size} changes`}
                </Button>
                <Button onClick={discard}>Discard</Button>
              </>
            )}
            {actions}
            {contested.size > 0 && <p className="text-sm text-bad">Choose above which value to keep.</p>}
            {refused.rest && contested.size === 0 && <InlineError error={save.error} />}
          </div>
        )}
      </form>
    </section>
  );
}

interface SettingRowProps {
  readonly field: FieldSpec;
  readonly entered: string | boolean | undefined;
  /** It was changed elsewhere since it was entered. */
  readonly contested: boolean;
  readonly error: string | undefined;
  readonly onEnter: (entered: string | boolean) => void;
  /** Keeps the entered value over the current one. */
  readonly onInsist: () => void;
}

function SettingRow({ field, entered, contested, error, onEnter, onInsist }: SettingRowProps): ReactElement {
  const reset = useSaveSettings();
  const location = useSources().get(field.key);
  const { source, scope } = field;
  // A plain save of it would lock the operator out.
  const ownPage = field.key === "auth.token" && !field.read_only;
  // Values of other layers are removed there; the host's file cannot be changed from here.
  const resettable = !field.read_only && !ownPage && (source === "agent" || source === "secrets" || source === scope);
  return (
    <SchemaField
      spec={ownPage ? { ...field, read_only: true } : field}
      entered={entered}
      error={error}
      onEnter={onEnter}
      marks={
        <>
          <ProvenanceBadge source={source} location={location} />
          {field.restart && <RestartBadge />}
        </>
      }
    >
      {contested && (
        <OtherValue
          label={field.label}
          text={otherText(field)}
          onInsist={onInsist}
          onTake={() => onEnter(shownValue(field))}
        />
      )}
      {(source === "env" || source === "flag") && location !== undefined && (
        <p className="text-sm text-ink-soft">Set by {location}.</p>
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
          aria-label={`${resetLabel(field)}: ${field.label}`}
          onClick={() =>
            reset.mutate({
              reset: [field.key],
              layer: source === "host" ? "host" : "agent",
              holds: (schema) => {
                const now = fieldOf(schema, field.key);
                return now !== undefined && standing(now) === standing(field);
              },
            })
          }
        >
          <RotateCcw aria-hidden className="size-3.5" />
          {resetLabel(field)}
        </Button>
      )}
      {reset.error !== null && <InlineError error={reset.error} />}
    </SchemaField>
  );
}

function otherText(field: FieldSpec): string {
  if (field.type === "secret") return field.is_set === true ? "A secret, which is not shown" : "No secret";
  const value = shownValue(field);
  if (typeof value === "boolean") return value ? "On" : "Off";
  return value;
}

function resetLabel({ type, default: fallback }: FieldSpec): string {
  if (type === "secret") return "Remove the secret";
  const text = typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "";
  return text === "" || text.length > 24 ? "Reset to the default" : `Reset to ${text}`;
}
