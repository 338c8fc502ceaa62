import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import { type Access, fieldsOf } from "./access.ts";

/** A repository that becomes a project. A blank name is made of the repository's. */
export interface NewClone {
  readonly repo: string;
  readonly name: string;
  readonly access: Access;
}

/** One clone that is made: it goes on while its dialog is closed. */
export interface Cloning {
  /** What is, or was last, cloned. */
  readonly wanted: NewClone | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly isRunning: boolean;
  /** Why it failed; null where it did not, or was stopped. */
  readonly error: Error | null;
  readonly start: (wanted: NewClone) => void;
  readonly stop: () => void;
  /** Puts a failure away. */
  readonly forget: () => void;
}

/** `onDone` is called when the project is there. */
export function useCloning(onDone: () => void): Cloning {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const ending = useRef<AbortController>(undefined);
  const { mutate, reset, variables, submittedAt, isPending, error } = useMutation({
    // Without a key of its own the request ends with its connection, and the clone with it.
    mutationFn: async ({ repo, name, access }: NewClone) => {
      ending.current = new AbortController();
      const body = { repo, write: fieldsOf(access).write, ...(name !== "" && { name }) };
      const { signal } = ending.current;
      return (await operator.post("/api/projects/clone", { body, signal })).project;
    },
    onSuccess: ({ name }) => {
      notify({ text: `${name} is cloned, and is a project now.`, tone: "good" });
      onDone();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["projects"] }),
  });
  return {
    wanted: variables,
    startedAt: submittedAt,
    isRunning: isPending,
    error: error !== null && isStopped(error) ? null : error,
    start: mutate,
    stop: () => ending.current?.abort(),
    forget: reset,
  };
}

function isStopped(error: Error): boolean {
  return error.name === "AbortError";
}
