import type { OperatorClient } from "@agent-service/operator-api/client";
import { useEffect, useState } from "react";
import { type ConsoleApi, useApi } from "../../../api/index.ts";
import { MOST_SHOWN, NOTHING, type OutputTail, withMore } from "./output-tail.ts";

/** What a command wrote so far. */
export interface CommandOutput extends OutputTail {
  /** It wrote more than the service keeps. */
  readonly isTruncated: boolean;
}

/** Milliseconds until it is read without an event: what was written before this page listened. */
const FIRST_READ_MS = 500;

/** Follows what a running command writes (F29). Undefined until it was read once. */
export function useCommandOutput(task: string, call: string): CommandOutput | undefined {
  const { operator, events } = useApi();
  const [output, setOutput] = useState<CommandOutput>();
  useEffect(() => {
    setOutput(undefined);
    return follow({ operator, events }, { task, call }, setOutput);
  }, [operator, events, task, call]);
  return output;
}

/** Reads a command's output again whenever there is more. Returns a function that ends it. */
function follow(
  { operator, events }: { readonly operator: Pick<OperatorClient, "get">; readonly events: ConsoleApi["events"] },
  { task, call }: { readonly task: string; readonly call: string },
  show: (output: CommandOutput) => void,
): () => void {
  const ending = new AbortController();
  let output: CommandOutput = { ...NOTHING, isTruncated: false };
  let next = 0;
  let isReading = false;
  let isAskedAgain = false;
  const readPage = async (): Promise<void> => {
    const page = await operator.get("/api/a2a/tasks/{id}/calls/{call}/output", {
      params: { id: task, call },
      query: { after: next },
      signal: ending.signal,
    });
    // Who comes late reads the end of it.
    const skips = next === 0 && page.bytes - page.next > MOST_SHOWN;
    output = { ...withMore(output, skips ? "" : page.text), isTruncated: page.truncated };
    if (skips) output = { ...output, isCut: true };
    next = skips ? page.bytes - MOST_SHOWN : page.next;
    if (page.next < page.bytes && page.text !== "") isAskedAgain = true;
    show(output);
  };
  const read = async (): Promise<void> => {
    isAskedAgain = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isAskedAgain && !ending.signal.aborted) {
        isAskedAgain = false;
        await readPage();
      }
    } catch {
      // The next event reads it again.
    } finally {
      isReading = false;
    }
  };
  const first = setTimeout(() => void read(), FIRST_READ_MS);
  const unsubscribe = events.listen(({ topic, data }) => {
    const isOfCall = topic === "command.output" && data.task_id === task && data.call_id === call;
    if (isOfCall || topic === "stream.gap") void read();
  });
  return () => {
    clearTimeout(first);
    unsubscribe();
    ending.abort();
  };
}
