/**
 * Checks that say from outside of a conversation whether something holds (G12).
 *
 * Invariants
 *  VE1  A check ends: at its time limit what it started is ended, and what ignores that is abandoned.
 *  VE2  What a verdict says holds no secret that is known, and at most 8 KiB of evidence.
 *  VE3  A pinned file that differs from when it was pinned makes a verdict not met, whatever the check says.
 */
import { createHash } from "node:crypto";
import type { AnyVerifier } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Clock } from "../clock/index.ts";
import type { Fence, ReachableProject } from "../fence/index.ts";
import { FenceRefusal } from "../fence/index.ts";
import { canonicalJson } from "../json/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { toModelTool } from "../tool/index.ts";
import { ciCheck } from "./ci-check.ts";
import { type CheckCommands, commandCheck, testCheck } from "./command-check.ts";
import { URL_CHECK } from "./core-verifiers.ts";
import { dataCheck } from "./data-check.ts";
import { cutEvidence, EVIDENCE_BYTES } from "./evidence.ts";
import type { Expressions } from "./expressions.ts";
import { digestsOf, tamperedPin } from "./pinned-files.ts";
import type { CheckRun, CheckVerdict, PreparedCheck, RawVerdict } from "./prepared-check.ts";
import { failed, invalid, VerifierError } from "./verifier-error.ts";
import { problemOf, readSpec, type SpecOf, type VerifierSpec } from "./verifier-spec.ts";

/** Milliseconds that a check has to end once it was aborted. */
const ABANDON_MS = 3_000;
const MAX_REASON_CHARS = 500;
/** Milliseconds for which a check may hold up the service without a warning. */
const HELD_UP_MS = 100;

/** Who asks for a check: an operator over the API, an operator's chat message, the agent. */
export type CheckAuthor = "operator" | "chat" | "agent";

export interface VerifiersParts {
  readonly fence: Fence;
  readonly clock: Clock;
  readonly redactor: Pick<Redactor, "text">;
  readonly log: { warn(message: string): void };
  readonly commands: CheckCommands;
  readonly expressions: Expressions;
  /** By their whole name, `<plugin>:<name>`. */
  readonly verifiers: ReadonlyMap<string, AnyVerifier>;
  /** Why no command may be set as a check now; undefined: it may. */
  readonly commandsRefused: () => string | undefined;
}

/** What is listed of a verifier. */
export interface ListedVerifier {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly args: object;
}

const RUNS_PROGRAMS: ReadonlySet<VerifierSpec["type"]> = new Set(["command", "test", "ci"]);

/** The checks of a service. */
export class Verifiers {
  readonly #parts: VerifiersParts;

  constructor(parts: VerifiersParts) {
    this.#parts = parts;
  }

  /** Those that have a name, in its order. */
  list(): readonly ListedVerifier[] {
    const known = [...this.#parts.verifiers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return known.map(([name, { description, args }]) => {
      const { parameters } = toModelTool({ name, description, input: args, run: () => "" });
      return { name, description, args: parameters };
    });
  }

  /**
   * Finds out whether a check can be made, and pins its files.
   * @throws VerifierError verifier.invalid, verifier.refused
   */
  async prepare(
    given: unknown,
    asked: { readonly by: CheckAuthor; readonly project?: string | undefined; readonly model: boolean },
  ): Promise<PreparedCheck> {
    const spec = readSpec(given);
    this.#requireAllowed(spec, asked);
    if (spec.type === "llm") return { spec, project: "", pins: {} };
    if (spec.type === "plugin") {
      const { args } = this.#verifierOf(spec);
      const { expr } = spec.check === URL_CHECK ? (args as { readonly expr?: string }) : {};
      if (expr !== undefined) await this.#parts.expressions.require(expr);
      return { spec, project: "", pins: {} };
    }
    const project = this.#project(asked.project);
    const pins = spec.type === "ci" ? {} : await this.#fenced(() => digestsOf(this.#parts.fence, project, spec.pin));
    await this.#fenced(() => this.#requirePlaces(spec, project));
    if (spec.type === "data" && spec.expr !== undefined) await this.#parts.expressions.require(spec.expr);
    return { spec, project: project.name, pins };
  }

  /**
   * Makes a check.
   * @throws VerifierError verifier.failed where it came to no verdict; the reason of the signal
   */
  async check(check: PreparedCheck, run: CheckRun): Promise<CheckVerdict> {
    const { fence } = this.#parts;
    const seconds = ("timeout" in check.spec ? check.spec.timeout : undefined) ?? run.timeoutS;
    try {
      const tampered = await tamperedPin(fence, check);
      if (tampered !== undefined) return this.shown(tampered);
      const raw = await bounded(this.#parts.clock, { ...run, seconds }, (signal) =>
        this.#make(check, { ...run, signal, timeoutS: seconds }),
      );
      // The check itself may have changed them, or somebody meanwhile.
      return this.shown(raw.met ? ((await tamperedPin(fence, check)) ?? raw) : raw);
    } catch (error) {
      if (run.signal.aborted) throw run.signal.reason;
      throw this.#failure(error);
    }
  }

  /** A verdict without secrets, its evidence within its bound (VE2). */
  shown({ value, ...raw }: RawVerdict): CheckVerdict {
    const { redactor } = this.#parts;
    const reason = redactor.text(raw.reason).slice(0, MAX_REASON_CHARS).toWellFormed();
    const evidence = cutEvidence(redactor.text(raw.evidence), EVIDENCE_BYTES);
    const looked = value === undefined ? [raw.met, raw.reason, raw.evidence] : value;
    const digest = createHash("sha256").update(canonicalJson(looked)).digest("hex");
    return { ...raw, reason, evidence, digest };
  }

  /** Ends what is kept for checks to come. */
  close(): void {
    this.#parts.expressions.close();
  }

  #make(check: PreparedCheck, run: CheckRun): Promise<RawVerdict> {
    const { fence, commands, expressions } = this.#parts;
    const { spec } = check;
    if (RUNS_PROGRAMS.has(spec.type)) {
      const refused = this.#parts.commandsRefused();
      if (refused !== undefined) throw failed(refused);
    }
    switch (spec.type) {
      case "command":
        return commandCheck({ fence, commands }, { ...check, spec }, run);
      case "test":
        return testCheck({ fence, commands }, { ...check, spec }, run);
      case "ci":
        return ciCheck({ fence, commands }, { ...check, spec }, run);
      case "data":
        return dataCheck({ fence, expressions }, { ...check, spec }, run);
      case "plugin":
        return this.#ofPlugin(spec, run);
      case "llm":
        if (run.judge === undefined) throw failed("no model judges here");
        return run.judge(run.signal);
    }
  }

  async #ofPlugin(spec: SpecOf<"plugin">, { signal }: CheckRun): Promise<RawVerdict> {
    const { clock, log } = this.#parts;
    const { verifier, args } = this.#verifierOf(spec);
    const began = performance.now();
    const made = verifier.check(args as never, { signal, now: () => new Date(clock.now()) });
    const ms = performance.now() - began;
    // It runs in this process: nothing can end what it does without awaiting anything.
    if (ms > HELD_UP_MS) log.warn(`the check ${spec.check} held up the service for ${Math.round(ms)} ms`);
    const verdict: unknown = await made;
    const read = v.safeParse(verdictSchema, verdict);
    if (!read.success) throw failed(`${spec.check} returned no verdict: ${problemOf(read.issues)}`);
    return read.output;
  }

  /** @throws VerifierError verifier.invalid */
  #verifierOf({ check, args }: SpecOf<"plugin">): { readonly verifier: AnyVerifier; readonly args: unknown } {
    const verifier = this.#parts.verifiers.get(check);
    if (verifier === undefined) throw invalid("there is no verifier of that name");
    const read = v.safeParse(verifier.args, args);
    if (!read.success) throw invalid(`of the arguments of ${check} ${problemOf(read.issues)}`);
    return { verifier, args: read.output };
  }

  #requireAllowed(spec: VerifierSpec, { by, model }: { readonly by: CheckAuthor; readonly model: boolean }): void {
    const { type } = spec;
    if (type === "llm" && !model) throw invalid("no model judges this: use a check of another type");
    const refused = (why: string): VerifierError => new VerifierError("verifier.refused", why);
    if (by === "agent" && type !== "plugin") throw refused("the agent sets checks of plugins only");
    if (by === "chat" && type !== "plugin" && type !== "llm")
      throw refused(`a check of type ${type} is set over the operator API only, not from a conversation`);
    const closed = RUNS_PROGRAMS.has(type) ? this.#parts.commandsRefused() : undefined;
    if (closed !== undefined) throw refused(closed);
  }

  /** @throws VerifierError verifier.invalid */
  #project(name: string | undefined): ReachableProject {
    const { projects } = this.#parts.fence;
    const project = name === undefined || name === "" ? projects.reachable[0] : projects.find(name);
    if (project !== undefined) return project;
    throw invalid(projects.reachable.length === 0 ? "there are no projects to check in" : "there is no such project");
  }

  async #requirePlaces(spec: SpecOf<"command" | "test" | "ci" | "data">, { name: project }: ReachableProject) {
    const { fence } = this.#parts;
    if (spec.type === "data") {
      const located = await fence.open({ project, path: spec.path, for: "read" }).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      await located?.close();
      return;
    }
    const located = await fence.open({ project, path: spec.cwd ?? ".", for: "run" });
    await located.close();
    if (spec.type === "ci" && spec.repo === undefined && located.project.scmRepo === "")
      throw invalid("name the repository in `repo`: the project names none");
  }

  /** Refusals of the fence are of what was asked. */
  async #fenced<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof FenceRefusal) throw invalid(`a path is not one of the project's (${error.code})`);
      throw error;
    }
  }

  #failure(error: unknown): VerifierError {
    const message = error instanceof Error ? error.message : String(error);
    return failed(this.#parts.redactor.text(message).slice(0, MAX_REASON_CHARS).toWellFormed(), { cause: error });
  }
}

const verdictSchema = v.object({
  met: v.boolean(),
  value: v.optional(v.unknown()),
  reason: v.string(),
  evidence: v.string(),
});

function isMissing(error: unknown): boolean {
  return error instanceof FenceRefusal && error.code === "fence.missing";
}

/** Aborts after its seconds and waits a little more; what goes on then is abandoned (VE1). */
async function bounded<T>(
  clock: Clock,
  { signal, seconds }: { readonly signal: AbortSignal; readonly seconds: number },
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const over = failed(`it took longer than its ${seconds} s`);
  const abandoned = Promise.withResolvers<never>();
  abandoned.promise.catch(() => {});
  const limit = clock.setTimeout(() => late.abort(over), seconds * 1_000);
  const both = AbortSignal.any([signal, late.signal]);
  let last: ReturnType<Clock["setTimeout"]> | undefined;
  const onAbort = (): void => {
    last = clock.setTimeout(() => abandoned.reject(both.reason), ABANDON_MS);
  };
  both.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([act(both), abandoned.promise]);
  } catch (error) {
    throw late.signal.aborted ? over : error;
  } finally {
    limit.cancel();
    last?.cancel();
    both.removeEventListener("abort", onAbort);
  }
}
