import type { OperatorClient } from "@agent-service/operator-api/client";
import { type ClipboardEvent, type SetStateAction, useCallback, useEffect, useRef, useState } from "react";
import { useApi, useRuntimeStatus } from "../../../api/index.ts";
import type { OutgoingFile } from "../live/outgoing-message.ts";

/** Attaching files to the message that is written. */
export interface Attachments {
  readonly add: (files: readonly File[]) => void;
  /** Names of the files that are being read. */
  readonly reading: readonly string[];
  /** A file is held over the window. */
  readonly isOver: boolean;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/**
 * Reads the files that are chosen, pasted, or dropped anywhere on the page: there the browser would leave the page for
 * them. `onProblem`: undefined once a person tries again.
 */
export function useAttachments(
  conversation: { readonly session: string; readonly keepsNothing: boolean },
  files: readonly OutgoingFile[],
  setFiles: (files: SetStateAction<readonly OutgoingFile[]>) => void,
  onProblem: (problem: unknown) => void,
): Attachments {
  const { operator } = useApi();
  const { session, keepsNothing } = conversation;
  const readsDocuments = useRuntimeStatus()?.features.knowledge_sources?.available === true && !keepsNothing;
  const [reading, setReading] = useState<readonly string[]>([]);
  /** Those of the message, with those that were read and are not rendered yet. */
  const held = useRef(files);
  useEffect(() => {
    held.current = files;
  }, [files]);
  const last = useRef<Promise<unknown>>(undefined);
  const add = useCallback(
    (chosen: readonly File[]): void => {
      if (chosen.length === 0) return;
      onProblem(undefined);
      const names = chosen.map(({ name }) => name);
      setReading((before) => [...before, ...names]);
      const read = async (): Promise<void> => {
        // Few messages have files, and the chat's first load stays small.
        const { readFiles } = await import("./attachments.ts");
        const added = await readFiles(chosen, held.current, {
          readPdf: ({ name, mediaType, raw }) =>
            operator.post("/api/chat/file-text", { body: { name, media_type: mediaType, data: raw } }),
          readDocument: readsDocuments ? (file) => attach(operator, session, file) : undefined,
        });
        held.current = [...held.current, ...added];
        setFiles((before) => [...before, ...added]);
      };
      // One after the other: each counts what those before it added.
      const done = (last.current ?? Promise.resolve()).then(read);
      last.current = done.catch(() => {});
      done.catch(onProblem).finally(() => setReading((before) => before.slice(names.length)));
    },
    [operator, session, readsDocuments, setFiles, onProblem],
  );
  return { add, reading, isOver: useDrop(add), onPaste: pasteOf(add) };
}

/** Has the service read a document for one conversation. */
function attach(operator: OperatorClient, session: string, file: File) {
  const form = new FormData();
  form.append("session_id", session);
  form.append("file", file, file.name);
  return operator.post("/api/knowledge/attach", { form });
}

function useDrop(add: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent): void => {
      // Of the window itself, not of an element in it.
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent): void => {
      setOver(false);
      if (!holdsFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      add([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", left);
    window.addEventListener("drop", dropped);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", left);
      window.removeEventListener("drop", dropped);
    };
  }, [add]);
  return isOver;
}

function pasteOf(add: (files: readonly File[]) => void) {
  return (event: ClipboardEvent): void => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    add(pasted);
  };
}
