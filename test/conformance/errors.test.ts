/** Every error of the protocol in both versions and both bindings, whatever an executor raises. */
import { describe, expect, it } from "vitest";
import { A2AError, type A2AErrorReason, errorKinds, OverloadedError } from "../../packages/a2a-protocol/src/index.ts";
import {
  type AgentExecutor,
  createA2AHandler,
  inMemoryExecutor,
} from "../../packages/a2a-protocol/src/server/index.ts";
import { misfits03 } from "./shapes-0-3.ts";
import { type Json, type Speaker, speakersTo, textOf } from "./speaker.ts";

/** The table of A2A 1.0.1, section 5.4, and its general categories for JSON-RPC's own errors. */
const table: Readonly<Record<A2AErrorReason, readonly [code: number, http: number, status: string]>> = {
  PARSE_ERROR: [-32700, 400, "INVALID_ARGUMENT"],
  INVALID_REQUEST: [-32600, 400, "INVALID_ARGUMENT"],
  METHOD_NOT_FOUND: [-32601, 404, "UNIMPLEMENTED"],
  INVALID_PARAMS: [-32602, 400, "INVALID_ARGUMENT"],
  INTERNAL_ERROR: [-32603, 500, "INTERNAL"],
  TASK_NOT_FOUND: [-32001, 404, "NOT_FOUND"],
  TASK_NOT_CANCELABLE: [-32002, 400, "FAILED_PRECONDITION"],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 400, "FAILED_PRECONDITION"],
  UNSUPPORTED_OPERATION: [-32004, 400, "FAILED_PRECONDITION"],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 400, "INVALID_ARGUMENT"],
  INVALID_AGENT_RESPONSE: [-32006, 500, "INTERNAL"],
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: [-32007, 400, "FAILED_PRECONDITION"],
  EXTENSION_SUPPORT_REQUIRED: [-32008, 400, "FAILED_PRECONDITION"],
  VERSION_NOT_SUPPORTED: [-32009, 400, "FAILED_PRECONDITION"],
};
const reasons = Object.keys(errorKinds) as A2AErrorReason[];

interface Reported {
  readonly error: unknown;
  readonly errorId: string;
}

/** Callers of a handler whose tasks cannot be read for this reason, and what it reports to its host. */
function callersOf(error: unknown, extensions: readonly { uri: string; required: boolean }[] = []) {
  const reported: Reported[] = [];
  const tasks = inMemoryExecutor(async function* ({ text }) {
    yield { text };
  });
  const executor: AgentExecutor = { ...tasks, read: () => Promise.reject(error) };
  const handler = createA2AHandler({
    card: { name: "T", description: "d", extensions },
    executor,
    onError: (cause, errorId) => void reported.push({ error: cause, errorId }),
  });
  return { callers: speakersTo("http://agent.example", {}, handler), reported };
}

const reads = (caller: Speaker, headers: HeadersInit = {}) => caller.ask("get", { id: "x" }, headers);

describe("an error", () => {
  it.each(reasons)(
    "%s has its code, its HTTP status and its details in every binding [R10-5.4-1, R10-3.3.2-16, R10-3.3.2-17, R10-3.3.2-18, R10-3.3.2-19, R10-9.5-1, R10-9.5-2, R10-11.6-1, R10-11.6-2, R10-11.6-3, R03-8.2-1, R03-11.1.5-3, R03-3.2.3-5, R03-3.2.3-8]",
    async (reason) => {
      const [code, http, status] = table[reason];
      const error = new A2AError(reason, "what: is wrong", { data: { taskId: "t-1", tried: 3 } });
      for (const caller of callersOf(error).callers) {
        const answer = await reads(caller);
        const overRpc = caller.binding === "JSON-RPC";
        expect([answer.status, answer.error?.code, answer.error?.message]).toEqual([
          overRpc ? 200 : http,
          code,
          "what: is wrong",
        ]);
        if (caller.version === "0.3") {
          if (overRpc) expect(misfits03("JSONRPCErrorResponse", answer.body)).toEqual([]);
          else expect(answer.body).toMatchObject({ code, message: "what: is wrong", detail: "what: is wrong" });
          continue;
        }
        const info = {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason,
          domain: "a2a-protocol.org",
          metadata: { taskId: "t-1", tried: "3" },
        };
        const violations = {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "what", description: "is wrong" }],
        };
        const details = reason === "INVALID_PARAMS" ? [info, violations] : [info];
        if (overRpc) expect(answer.body.error).toEqual({ code, message: "what: is wrong", data: details });
        else expect(answer.body).toEqual({ error: { code: http, status, message: "what: is wrong", details } });
      }
    },
  );

  it("of the system is logged under an id that its caller gets, and nothing else is returned [R10-3.3.2-15]", async () => {
    const cause = new Error("secret cause");
    const { callers, reported } = callersOf(cause);
    for (const caller of callers) {
      const { error, body } = await reads(caller);
      expect(error).toMatchObject({ code: -32603, message: "Internal error" });
      expect(JSON.stringify(body)).not.toContain("secret");
      const { errorId } = reported.at(-1)!;
      expect(reported.at(-1)?.error).toBe(cause);
      expect(JSON.stringify(body)).toContain(errorId);
    }
    expect(reported).toHaveLength(callers.length);
  });

  it.each([429, 503] as const)(
    "for lack of capacity (%i) has a Retry-After [R10-3.3.2-14, R10-13.4-18, DEV-busy]",
    async (status) => {
      for (const caller of callersOf(new OverloadedError(status, "Full", 7)).callers) {
        const answer = await reads(caller);
        expect([answer.status, answer.headers.get("retry-after"), answer.error?.message]).toEqual([
          status,
          "7",
          "Full",
        ]);
        const name = status === 429 ? "RESOURCE_EXHAUSTED" : "UNAVAILABLE";
        if (caller.binding === "HTTP+JSON" && caller.version === "1.0") expect(answer.body.error.status).toBe(name);
        else expect(answer.error?.code).toBe(-32603);
      }
    },
  );
});

describe("a required extension", () => {
  it("has to be activated, in the version that is required [R10-3.3.4-6, R10-4.6.3-4, DEV-newer-codes]", async () => {
    const { callers } = callersOf(undefined, [
      { uri: "urn:x:needed-v2", required: true },
      { uri: "urn:x:other-v1", required: false },
    ]);
    for (const caller of callers) {
      const header = caller.version === "0.3" ? "x-a2a-extensions" : "a2a-extensions";
      for (const asked of [undefined, "", "urn:x:needed-v1", "urn:x:other-v1"]) {
        const headers: HeadersInit = asked === undefined ? {} : { [header]: asked };
        const { error, result } = await caller.ask("send", caller.params({ text: "hi" }), headers);
        expect([error?.code, error?.message, result?.task]).toEqual([
          -32008,
          expect.stringContaining("urn:x:needed-v2"),
          undefined,
        ]);
      }
      const { result, headers } = await caller.ask("send", caller.params({ text: "hi" }), {
        [header]: "urn:x:needed-v2",
      });
      expect([textOf(firstArtifact(result)), headers.get(header)]).toEqual(["hi", "urn:x:needed-v2"]);
    }
  });
});

function firstArtifact(task: Json): Json {
  return task.artifacts[0];
}
