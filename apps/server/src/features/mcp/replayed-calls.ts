/** Calls of servers' tools that are made once more, with the arguments that the journal has (M19). */
import { type AgentEngine, type McpOperations, type McpRecordedCall, REDACTED } from "@agent-service/agent-core/host";
import { type McpService, Problem, type ToolsService } from "@agent-service/operator-api";
import { callOf } from "./server-views.ts";

export interface ReplayParts {
  readonly operations: Pick<McpOperations, "calls">;
  readonly toolbox: Pick<AgentEngine["toolbox"], "get">;
  /** Makes a direct call. */
  readonly call: ToolsService["call"];
  readonly redact: (text: string) => string;
}

/** Characters of a result that are shown. */
const SHOWN_CHARS = 65_536;

export function callReplays({ operations, toolbox, call, redact }: ReplayParts): Pick<McpService, "call" | "replay"> {
  const shown = (text: string | undefined): string | null =>
    text === undefined ? null : redact(text.slice(0, SHOWN_CHARS));
  const refusalOf = (recorded: McpRecordedCall): string | undefined => {
    const { args, fullName, isIncognito, outcome } = recorded;
    if (outcome === "open") return "It has not ended yet; replay it once it has.";
    if (isIncognito)
      return "It is of an incognito turn, of which nothing may stay, and a replay would; call the tool anew.";
    if (args === "") return "Its arguments were removed with the details of its turn; call the tool with your own.";
    if (args.includes(REDACTED) || redact(args) !== args)
      return "Its arguments hold a secret, or what stands for one, which is not sent again; call the tool with your own.";
    if (toolbox.get(fullName) === undefined)
      return "The agent does not have this tool now; look among the server's tools whether it is on, held or gone.";
    return undefined;
  };
  const isPure = ({ effect }: McpRecordedCall): boolean => effect === "pure";
  return {
    async call(id) {
      const recorded = await operations.calls.read(id);
      if (recorded === undefined) return undefined;
      const { server, fullName, args, result } = recorded;
      return {
        ...callOf(recorded),
        ...{ server, full_name: fullName, args: redact(args), result: shown(result) },
        ...{ confirm: !isPure(recorded), refusal: refusalOf(recorded) ?? null },
      };
    },
    async replay({ call: id, isConfirmed, key, traceparent }, signal) {
      const recorded = await operations.calls.read(id);
      if (recorded === undefined)
        throw new Problem(404, "There is no such call; GET /api/mcp/servers/{name}/calls lists them.");
      const refusal = refusalOf(recorded);
      if (refusal !== undefined) throw new Problem(409, refusal);
      if (!isPure(recorded) && !isConfirmed)
        throw new Problem(
          409,
          "The tool may have effects, which a replay repeats; send `confirm`: true if you want that.",
        );
      const { server, tool, fullName, args, outcome, result, ms = null, at } = recorded;
      const asked = {
        ...{ tool: fullName, args: JSON.parse(args) as unknown, session: undefined, traceparent },
        // A key of its own: that of another call with the same arguments is another's.
        key: key && `replay ${id} ${key}`,
      };
      const after = await call(asked, signal);
      const isSame = (): boolean =>
        (after.outcome === "aborted" ? "canceled" : after.outcome) === outcome &&
        after.result?.slice(0, SHOWN_CHARS) === result &&
        Buffer.byteLength(after.result ?? "") === recorded.bytes;
      return {
        ...{ call_id: id, server, tool, args },
        before: { outcome, result: shown(result), ms, at: new Date(at).toISOString() },
        after: { ...after, ...(after.result !== undefined && { result: shown(after.result) ?? "" }) },
        same: after.outcome === undefined ? null : isSame(),
      };
    },
  };
}
