/**
 * Calls of MCP clients. Each is a request of the operator who sent it: an operation is answered by the route that serves it,
 * everything else is a task like any.
 */
import { type Clock, OPERATOR_CLASS, type TaskHandle, type TaskView } from "@agent-service/agent-core/host";
import { isMutation, type OperatorRoute, operationRequest, Problem } from "@agent-service/operator-api";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { newErrorId, type RouteCall } from "../../access/index.ts";
import { ASK_AGENT, exposedAgentTools, exposedOperations } from "../../exposed-tools/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { refusalOf } from "../operator/index.ts";
import { ASK_AGENT_TOOL, agentTool, operationTool } from "./mcp-tools.ts";
import { errorResult, resultOfResponse } from "./tool-result.ts";
import { askAgent, callAgentTool, type Work } from "./work.ts";

/** Calls that are waited for at once. */
const MOST_CALLS = 256;
/** Milliseconds a call is waited for: clients of MCP give up after a minute. */
const WAIT_MS = 45_000;
/** With a progress token, by which clients wait longer. */
const PROGRESS_WAIT_MS = 600_000;
/** Where the client polls for what takes longer. */
const POLLED_WAIT_MS = 500;
const PROGRESS_MS = 5_000;
/** Such as a check that runs a program, in a job that a client schedules (M17). */
const NO_DECISIONS = "Clients of MCP do not decide this for the operator: do it in the console or on the command line.";

/** One call. */
export interface AskedToolCall {
  readonly name: string;
  readonly args: { readonly [name: string]: unknown };
  readonly call: RouteCall;
  /** Aborts when the client leaves or cancels: nobody waits then, and what was started goes on. */
  readonly signal: AbortSignal;
  readonly traceparent: string | undefined;
}

/** How a task is waited for. */
export interface Waiting {
  readonly signal: AbortSignal;
  /** Sends a progress notification; absent: the client asked for none. */
  readonly progress?: ((count: number) => Promise<void>) | undefined;
  /** The client polls for what takes longer. */
  readonly isPolled?: boolean;
}

export class McpCalls {
  readonly #host: RunningHost;
  readonly #operations: ReadonlyMap<string, OperatorRoute>;
  readonly #shown = new Map<string, Tool>();
  #running = 0;

  constructor(host: RunningHost, operations: readonly OperatorRoute[]) {
    this.#host = host;
    this.#operations = new Map(operations.map((route) => [route.definition.name, route]));
  }

  get #offered(): readonly OperatorRoute[] {
    return exposedOperations(this.#host.settings.mcp.expose.profile).flatMap(
      ({ name }) => this.#operations.get(name) ?? [],
    );
  }

  /** What is offered now. */
  tools(): readonly Tool[] {
    const { settings, core } = this.#host;
    return [
      ASK_AGENT_TOOL,
      ...this.#offered.map((route) => this.#shownAs(route)),
      ...exposedAgentTools(settings.mcp.expose, core.toolbox).map(agentTool),
    ];
  }

  /** A result, or a task that is waited for. Undefined: no such tool is offered. What goes wrong is a result. */
  async make(asked: AskedToolCall): Promise<CallToolResult | Work | undefined> {
    const { name, args, traceparent } = asked;
    const { core, settings } = this.#host;
    const route = this.#offered.find(({ definition }) => definition.name === name);
    const isTool = (): boolean =>
      exposedAgentTools(settings.mcp.expose, core.toolbox).some((tool) => tool.name === name);
    if (name !== ASK_AGENT && route === undefined && !isTool()) return undefined;
    return this.#guarded<CallToolResult | Work>(name, async () => {
      if (name === ASK_AGENT) return askAgent(core, args, traceparent);
      if (route !== undefined) return operate(route, asked);
      // As `POST /api/tools/{name}/call`: other users of the machine make no calls (F15).
      const refused = await asked.call.refuseDecision();
      if (refused !== undefined) throw new Problem(403, refused);
      return callAgentTool(core, name, { args, traceparent });
    });
  }

  /** Answers what a task asks. Undefined: it was taken, or the task asks it no more. */
  answer(task: string, data: object, call: RouteCall): Promise<CallToolResult | undefined> {
    return this.#guarded("answer", async () => {
      await this.#host.core.service.answer(task, {
        class: OPERATOR_CLASS,
        input: { messageId: crypto.randomUUID(), parts: [{ kind: "data", data }] },
        refuseApproval: () => call.refuseDecision(),
        ...("promptId" in data && { promptId: String(data.promptId) }),
      });
      return undefined;
    });
  }

  /** Until the task is parked, ended, or the time is up. Rejects with the signal's reason when the client left. */
  async wait(task: TaskHandle, { signal, progress, isPolled = false }: Waiting): Promise<Readonly<TaskView>> {
    const { clock } = this.#host;
    const until = clock.now() + (isPolled ? POLLED_WAIT_MS : progress === undefined ? WAIT_MS : PROGRESS_WAIT_MS);
    for (let count = 1; ; count += 1) {
      const left = until - clock.now();
      if (left <= 0) return task.view;
      const step = progress === undefined ? left : Math.min(left, PROGRESS_MS);
      if (await settledWithin(task, clock, { ms: step, signal })) return task.view;
      await progress?.(count);
    }
  }

  /** Runs `act`, one of a bounded number. */
  async #guarded<T>(name: string, act: () => Promise<T>): Promise<T | CallToolResult> {
    if (this.#running >= MOST_CALLS) return errorResult("Too many calls run here already: try again in a moment.");
    this.#running += 1;
    try {
      return await act();
    } catch (error) {
      const refused = error instanceof Problem ? error : refusalOf(error);
      if (refused !== undefined) {
        const { detail } = refused;
        return errorResult(this.#host.redact(typeof detail === "string" ? detail : JSON.stringify(detail)));
      }
      const errorId = newErrorId();
      this.#host.logging.logger.error({ err: error, error_id: errorId, tool: name }, "a call over MCP failed");
      return errorResult(`Internal error; the server's log has the cause under ${errorId}.`);
    } finally {
      this.#running -= 1;
    }
  }

  #shownAs({ definition }: OperatorRoute): Tool {
    const known = this.#shown.get(definition.name);
    if (known !== undefined) return known;
    const tool = operationTool(definition, isMutation(definition));
    this.#shown.set(definition.name, tool);
    return tool;
  }
}

async function operate({ definition, handle }: OperatorRoute, asked: AskedToolCall): Promise<CallToolResult> {
  const { args, call, signal } = asked;
  const response = await handle({
    ...operationRequest(definition, args, signal),
    caller: call.caller.class,
    refuseDecision: async () => NO_DECISIONS,
  });
  return resultOfResponse(response);
}

/** False: the time is up. */
async function settledWithin(
  task: TaskHandle,
  clock: Clock,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const late = new AbortController();
  const timer = clock.setTimeout(() => late.abort(), ms);
  try {
    await task.settled(AbortSignal.any([late.signal, signal]));
    return true;
  } catch (error) {
    if (signal.aborted || !late.signal.aborted) throw error;
    return false;
  } finally {
    timer.cancel();
  }
}
