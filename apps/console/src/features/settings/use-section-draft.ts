import { type FormEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { FieldGroup, SettingsSchema } from "../../schema-form/index.ts";
import { focusInvalid } from "../../ui/index.ts";
import { afterSave, EMPTY_DRAFT, overtaken, readDraft, type SectionDraft, stillOpen } from "./section-draft.ts";
import { useDraft } from "./unsaved.tsx";
import { useSaveSettings } from "./use-settings.ts";

const NONE: ReadonlySet<string> = new Set();

/** The unsaved changes of a section and their save, which is all of them or nothing. */
export function useSectionDraft(group: FieldGroup) {
  const { fields } = group;
  const [kept, change] = useDraft(group.section);
  const [tried, setTried] = useState(false);
  const save = useSaveSettings();
  const draft = stillOpen(fields, kept);
  const { updates, problems } = readDraft(fields, draft);
  // During a save, the values read may be the change itself.
  const contested = save.isPending ? NONE : overtaken(fields, draft);

  useEffect(() => {
    if (draft !== kept) change((before) => stillOpen(fields, before));
  }, [draft, kept, change, fields]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    flushSync(() => setTried(true));
    if (problems.size > 0) focusInvalid(event.currentTarget);
    if (problems.size > 0 || draft.size === 0 || contested.size > 0) return;
    const layer = fields.some(({ key, scope }) => draft.has(key) && scope === "host") ? "host" : "agent";
    const holds = ({ groups }: SettingsSchema): boolean =>
      overtaken(groups.find(({ section }) => section === group.section)?.fields ?? [], draft).size === 0;
    await save.mutateAsync({ updates, layer, holds }).then(
      () => {
        change((before) => afterSave(fields, before, draft));
        setTried(false);
      },
      // The problem is shown at its field; the entered values stay.
      () => {},
    );
  }
  function edit(make: (before: SectionDraft) => SectionDraft): void {
    if (save.isError) save.reset();
    change(make);
  }
  function discard(): void {
    edit(() => EMPTY_DRAFT);
    setTried(false);
  }

  return {
    draft,
    /** Keys that were changed elsewhere since they were entered. */
    contested,
    /** Problems by key, once a save was tried. */
    problems: tried ? problems : undefined,
    save,
    submit,
    edit,
    discard,
  };
}
