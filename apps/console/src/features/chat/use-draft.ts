import { type SetStateAction, useCallback, useEffect, useState } from "react";
import { useChat } from "./chat-context.tsx";
import { type Draft, NO_DRAFT, withTakenBack } from "./drafts.ts";
import type { OutgoingFile } from "./live-turns.ts";

/** What comes back to where it was written, because it could not be sent. */
export interface TakenBack {
  readonly text: string;
  readonly files: readonly OutgoingFile[];
}

/** What a person is writing, kept under a key over a reload. */
export interface DraftInHand {
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly files: readonly OutgoingFile[];
  readonly setFiles: (files: SetStateAction<readonly OutgoingFile[]>) => void;
  /** It is on its way: what is written next in `session` goes to the same model, and as incognito as before. */
  readonly sent: (session: string) => void;
}

/** Keeps what a person writes. `initial` comes back: it stands with what was begun meanwhile. The files of what is incognito are not kept. */
export function useDraft(key: string, initial: TakenBack | undefined): DraftInHand {
  const { drafts, draftFiles } = useChat();
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = drafts.read(key);
    return initial === undefined ? kept : withTakenBack(kept, initial.text);
  });
  const [files, setFiles] = useState<readonly OutgoingFile[]>(initial?.files ?? []);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    let left = false;
    if (isRead) return;
    void draftFiles.read(key).then((kept) => {
      if (left) return;
      // What was attached meanwhile, or comes back, stands behind what was there.
      setFiles((added) => [...kept, ...added]);
      setRead(true);
    });
    return () => {
      left = true;
    };
  }, [draftFiles, key, isRead]);
  useEffect(() => drafts.write(key, draft), [drafts, key, draft]);
  const keptFiles = draft.incognito ? NO_FILES : files;
  useEffect(() => {
    if (isRead) draftFiles.write(key, keptFiles);
  }, [draftFiles, key, isRead, keptFiles]);
  const sent = useCallback(
    (session: string) => {
      const next = { ...draft, text: "" };
      // The first message leaves this page: the effects that keep drafts may not come to it.
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
