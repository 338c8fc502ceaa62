import { Problem } from "../problem/index.ts";
import { type Answer, answerOf, answerOfProblem, responseOf } from "./answer.ts";
import { misfitOf } from "./check-answer.ts";
import { type RawRequest, type ReadJson, readCall, readFields } from "./read-request.ts";
import { bodyBytesOf, isFile, isForm, readFile, readForm } from "./read-upload.ts";
import type { Call, Method, RequestKey, RouteDefinition, ServedRoute } from "./route-definition.ts";

/** A row for the service's route table. */
export interface OperatorRoute {
  readonly definition: RouteDefinition;
  readonly method: Method;
  /** With names in braces, as in the definition. */
  readonly path: string;
  readonly tier: "operator" | "public";
  readonly summary: string;
  /** Always answers with a stream. */
  readonly streaming: boolean;
  /** Whatever is sent to it decides for the operator (F15). */
  readonly decides: boolean;
  /** The largest body in bytes; undefined: what is usual. */
  readonly bodyBytes?: number | undefined;
  /** Answers a request that the guard let in. What it throws is a 500. */
  readonly handle: (raw: RawRequest) => Promise<Response>;
}

/** Carries out a request once per idempotency key (A15). `run` makes the answer, under the key it is given. */
export type Idempotency = (
  definition: RouteDefinition,
  request: { readonly call: Call; readonly url: string; readonly text: string | undefined },
  run: (requestKey: RequestKey | undefined) => Promise<Answer>,
) => Promise<Answer>;

/** What routes need beside their services. */
export interface RoutePorts {
  readonly readJson: ReadJson;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
  /** The refusal that an error of a service becomes, such as a store that is full; undefined: it is a fault. */
  readonly refusalOf?: ((error: unknown) => Problem | undefined) | undefined;
  /** Absent: `Idempotency-Key` is ignored. */
  readonly idempotency?: Idempotency | undefined;
  /** For tests: called with one line for every answer that does not fit its definition. */
  readonly onMisfit?: ((misfit: string) => void) | undefined;
}

/** The row of a served route. */
export function mountRoute({ definition, handle }: ServedRoute, ports: RoutePorts): OperatorRoute {
  const { method, path, summary, reply } = definition;
  const { idempotency } = ports;
  const run = async (call: Call): Promise<Answer> => answerOf(definition, await handle(call));
  const answer = async (raw: RawRequest): Promise<Answer> => {
    try {
      if (isForm(definition, raw.request)) {
        const { fields, file } = await readForm(definition, raw.request);
        return await run({ ...readFields(definition, raw, fields), upload: file });
      }
      if (isFile(definition, raw.request)) {
        const file = await readFile(definition, raw.request);
        return await run({ ...readFields(definition, raw, {}), upload: file });
      }
      const text = method === "GET" || method === "DELETE" ? undefined : await raw.request.text();
      const call = readCall(definition, raw, text, ports.readJson);
      if (method !== "POST" || definition.idempotency === "own" || idempotency === undefined) return await run(call);
      return await idempotency(definition, { call, url: raw.request.url, text }, (requestKey) =>
        settled(() => run({ ...call, requestKey }), ports),
      );
    } catch (error) {
      return refused(error, ports);
    }
  };
  return {
    definition,
    method,
    path,
    tier: definition.public === true ? "public" : "operator",
    summary,
    streaming: reply.kind === "events",
    decides: definition.decides === true,
    bodyBytes: bodyBytesOf(definition),
    async handle(raw) {
      const made = await answer(raw);
      if (ports.onMisfit !== undefined) {
        const misfit = misfitOf(definition, made);
        if (misfit !== undefined) ports.onMisfit(misfit);
      }
      return responseOf(made);
    },
  };
}

async function settled(run: () => Promise<Answer>, ports: RoutePorts): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    return refused(error, ports);
  }
}

/** The answer of an error that is a refusal; throws any other. */
function refused(error: unknown, { redact, refusalOf }: RoutePorts): Answer {
  const problem = error instanceof Problem ? error : refusalOf?.(error);
  if (problem === undefined) throw error;
  return answerOfProblem(problem, redact);
}

/** Rows in the order a router must see them: a fixed segment before a name in braces at the same position. */
export function inMatchingOrder<TRoute extends { readonly path: string }>(
  routes: readonly TRoute[],
): readonly TRoute[] {
  const rank = ({ path }: TRoute): string =>
    path
      .split("/")
      .map((segment) => (segment.includes("{") ? "1" : "0"))
      .join("");
  return routes
    .map((route) => ({ route, rank: rank(route) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ route }) => route);
}
