import { type SetStateAction, useCallback, useEffect, useState } from "react";
import { useChat } from "../chat-context.tsx";
import type { OutgoingFile, UnsentMessage } from "../live/outgoing-message.ts";
import { type Draft, NO_DRAFT, withUnsent } from "./drafts.ts";

/** A draft with its files, kept in the browser. */
export interface KeptDraft {
  readonly draft: Draft;
  readonly setDraft: (draft: SetStateAction<Draft>) => void;
  readonly files: readonly OutgoingFile[];
  readonly setFiles: (files: SetStateAction<readonly OutgoingFile[]>) => void;
  /** Empties the draft because it was sent; the next one in `session` keeps its model and incognito. */
  readonly sent: (session: string) => void;
}

/** The draft under a key. `initial` is put before what is stored. Text and files of an incognito draft are not stored. */
export function useDraft(key: string, initial: UnsentMessage | undefined): KeptDraft {
  const { drafts, draftFiles } = useChat();
  const [draft, setDraft] = useState<Draft>(() => {
    const stored = drafts.read(key);
    return initial === undefined ? stored : withUnsent(stored, initial.text);
  });
  const [files, setFiles] = useState<readonly OutgoingFile[]>(initial?.files ?? []);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    let left = false;
    if (isRead) return;
    void draftFiles.read(key).then((stored) => {
      // What cannot be read is not replaced either: it is there after the next reload.
      if (left || stored === undefined) return;
      // Files attached meanwhile, and those of `initial`, come after the stored ones.
      setFiles((added) => [...stored, ...added]);
      setRead(true);
    });
    return () => {
      left = true;
    };
  }, [draftFiles, key, isRead]);
  useEffect(() => drafts.write(key, draft.incognito ? { ...draft, text: "" } : draft), [drafts, key, draft]);
  const storedFiles = draft.incognito ? NO_FILES : files;
  useEffect(() => {
    if (isRead) draftFiles.write(key, storedFiles);
  }, [draftFiles, key, isRead, storedFiles]);
  const sent = useCallback(
    (session: string) => {
      const next = { ...draft, text: "" };
      // The first message navigates away: the effects that store drafts may not run any more.
      if (key !== session) drafts.write(key, NO_DRAFT);
      drafts.write(session, next);
      draftFiles.write(key, NO_FILES);
      setDraft(key === session ? next : NO_DRAFT);
      setFiles(NO_FILES);
    },
    [drafts, draftFiles, draft, key],
  );
  return { draft, setDraft, files, setFiles, sent };
}

const NO_FILES: readonly OutgoingFile[] = [];
