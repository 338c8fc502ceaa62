import { useBlocker } from "@tanstack/react-router";
import { createContext, type ReactElement, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { Button, Dialog } from "../../ui/index.ts";
import { EMPTY_DRAFT, type SectionDraft } from "./section-draft.ts";
import { useSettings } from "./use-settings.ts";

interface Unsaved {
  readonly drafts: ReadonlyMap<string, SectionDraft>;
  readonly change: (section: string, make: (before: SectionDraft) => SectionDraft) => void;
}

const Context = createContext<Unsaved>({ drafts: new Map(), change: () => {} });

/**
 * Keeps unsaved changes by section from one page of the settings to another; a person who leaves the settings,
 * or the page, is asked first.
 */
export function UnsavedProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, SectionDraft>>(() => new Map());
  const change = useCallback<Unsaved["change"]>((section, make) => {
    setDrafts((all) => {
      const next = new Map(all);
      const draft = make(all.get(section) ?? EMPTY_DRAFT);
      if (draft.size === 0) next.delete(section);
      else next.set(section, draft);
      return next;
    });
  }, []);
  const value = useMemo(() => ({ drafts, change }), [drafts, change]);
  return (
    <Context.Provider value={value}>
      {children}
      <LeaveQuestion sections={[...drafts.keys()]} />
    </Context.Provider>
  );
}

/** The unsaved changes of a section, and their setter. */
export function useDraft(
  section: string,
): readonly [SectionDraft, (make: (before: SectionDraft) => SectionDraft) => void] {
  const { drafts, change } = useContext(Context);
  const set = useCallback((make: (before: SectionDraft) => SectionDraft) => change(section, make), [change, section]);
  return [drafts.get(section) ?? EMPTY_DRAFT, set];
}

/** Number of unsaved changes of these sections. */
export function useUnsavedCount(): (sections: readonly string[]) => number {
  const { drafts } = useContext(Context);
  return (sections) => sections.reduce((sum, section) => sum + (drafts.get(section)?.size ?? 0), 0);
}

function LeaveQuestion({ sections }: { readonly sections: readonly string[] }): ReactElement {
  const { data } = useSettings();
  const isUnsaved = sections.length > 0;
  const titles = sections.map((name) => data?.groups.find(({ section }) => section === name)?.title ?? name);
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isUnsaved && !String(next.routeId).startsWith("/settings"),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const asks = blocker.status === "blocked";
  return (
    <Dialog open={asks} onOpenChange={(open) => !open && blocker.reset?.()} title="Leave without saving?">
      <p>What you changed under {titles.join(", ")} is not saved, and is lost when you leave.</p>
      <div className="flex flex-wrap gap-2 pt-4">
        <Button kind="primary" onClick={() => blocker.reset?.()}>
          Stay
        </Button>
        <Button kind="danger" onClick={() => blocker.proceed?.()}>
          Leave and discard
        </Button>
      </div>
    </Dialog>
  );
}
