/**
 * The MCP servers of an instance. It follows the settings: a save touches only the servers whose connection it changes, and
 * calls under way end on the old one. What operators see, and the tools that turns have, are made of the pins, so they
 * exist before anything is connected.
 */
import type { AnyTool } from "@agent-service/plugin-sdk";
import type { SlashCommand } from "../command/index.ts";
import { canonicalJson, type JsonValue } from "../json/index.ts";
import { giveUpTasks, HeldCalls, RecordedCalls, type ServerCalls } from "./call/index.ts";
import { callsOf } from "./calls-of.ts";
import { type ManagedServer, type ShownLists, StartPlaces } from "./connection/index.ts";
import { readShown, targetDigest } from "./definition/index.ts";
import { managedServerOf } from "./managed-server-of.ts";
import { McpError } from "./mcp-error.ts";
import type { McpSectionValue } from "./mcp-section.ts";
import {
  authorizationFor,
  detailOf,
  type EntryDefinitions,
  partsOf,
  type RunningEntry,
  viewOf,
} from "./mcp-server-entry.ts";
import type {
  McpDecision,
  McpEra,
  McpOperations,
  McpServerDetail,
  McpServerView,
  McpSignIn,
  McpTestResult,
} from "./mcp-server-view.ts";
import type { McpServersOptions } from "./mcp-servers-options.ts";
import type { PlaceholderSource } from "./placeholder/index.ts";
import { ServerPrompts } from "./prompt/index.ts";
import { PublishedStates } from "./published-states.ts";
import { type McpServerEntry, type McpServerSettings, readMcpServer, readMcpServers } from "./settings/index.ts";
import { signInOperations } from "./sign-in/index.ts";
import { testServer, trialOf } from "./test-server.ts";
import { McpTools, type ToolRow, toolRows } from "./tool/index.ts";

/** All servers: what operators do with them, and the tools of turns. */
export class McpServers implements McpOperations {
  readonly calls: RecordedCalls;
  readonly #options: McpServersOptions;
  readonly #places = new StartPlaces();
  readonly #held: HeldCalls;
  readonly #tools: McpTools;
  readonly #prompts: ServerPrompts;
  #read: McpSectionValue | undefined;
  /** By name, in the order of the settings; with what the connection of each was made from. */
  #entries = new Map<string, RunningEntry & { readonly key: string }>();
  #rows: ReadonlyMap<string, readonly ToolRow[]> = new Map();
  #list: readonly AnyTool[] = [];
  readonly #states: PublishedStates;
  #isStarted = false;
  #isStopped = false;
  readonly forgetSignIn: McpOperations["forgetSignIn"] = (name) => this.#options.signIn.grants.save(name, undefined);
  readonly onUnasked: McpOperations["onUnasked"] = (listener) => void this.#options.signIn.listeners?.add(listener);
  readonly #callsOf = (name: string): ServerCalls | undefined => this.#entries.get(name)?.calls;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#held = new HeldCalls(options.clock);
    this.#states = new PublishedStates(options.bus);
    this.#tools = new McpTools(options.inputOf);
    this.#prompts = new ServerPrompts({
      connection: (name) => this.#entries.get(name)?.server,
      pins: (name) => options.pins.of(name),
      timeoutMs: () => options.settings().timeout_seconds * 1_000,
      redact: (text) => options.redactor.known(text),
    });
    this.calls = new RecordedCalls(options.db, () => {
      this.follow();
      return new Map([...this.#entries.keys()].map((name) => [name, this.#rows.get(name) ?? []]));
    });
  }

  get enabled(): boolean {
    return this.#options.settings().enabled;
  }

  /** The tools that turns have; the same list while nothing changed. */
  tools(): readonly AnyTool[] {
    this.follow();
    return this.#list;
  }

  /** The slash commands of their prompts. */
  commands(): readonly SlashCommand[] {
    this.follow();
    return this.#prompts.commands;
  }

  /** Takes over saved settings. Does nothing while they are the same. */
  follow(): void {
    const section = this.#options.settings();
    if (section === this.#read || this.#isStopped) return;
    this.#read = section;
    const before = this.#entries;
    const { entries } = readMcpServers(section);
    this.#entries = new Map(
      entries.map((entry) => [entry.name, this.#entryOf(entry, section, before.get(entry.name))]),
    );
    for (const [name, { server }] of before) {
      const now = this.#entries.get(name);
      if (now?.server !== server) server?.retire();
      if (server !== undefined && now !== undefined && now.server === undefined)
        this.#states.publish(name, viewOf(now, this.#definitionsOf(name)));
    }
    this.#refresh();
    if (this.#isStarted) this.start();
  }

  /** Connects all of them, behind what runs. */
  start(): void {
    if (this.#isStopped) return;
    const isFirst = !this.#isStarted;
    this.#isStarted = true;
    this.follow();
    for (const { server } of this.#entries.values()) server?.start();
    // Where that fails, the next start tries it.
    if (isFirst) void giveUpTasks(this.calls, this.#callsOf).catch(() => {});
  }

  /** Ends everything; calls under way are lost. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#held.end();
    await Promise.all([...this.#entries.values()].flatMap(({ server }) => server?.stop() ?? []));
  }

  /** Cancels calls of a task that has ended: those that wait for a person, and those that a server carries out as tasks. */
  async endTask(taskId: string, isCompleted: boolean): Promise<void> {
    this.#held.endTask(taskId);
    if (isCompleted || this.#entries.size === 0) return;
    await giveUpTasks(this.calls, this.#callsOf, taskId);
  }

  list(): readonly McpServerView[] {
    this.follow();
    return [...this.#entries.values()].map((running) => viewOf(running, this.#definitionsOf(running.entry.name)));
  }

  get(name: string): McpServerDetail | undefined {
    this.follow();
    const running = this.#entries.get(name);
    return running === undefined ? undefined : detailOf(running, this.#definitionsOf(name));
  }

  test(declaration: unknown, signal: AbortSignal): Promise<McpTestResult> {
    const section = this.#options.settings();
    const entry = readMcpServer(declaration, section);
    if (entry.kind === "misconfigured") return Promise.resolve({ ok: false, error: entry.problem });
    return testServer({
      ...trialOf(entry.settings, section, this.#options),
      placeholders: this.#placeholdersOf(entry.settings, section),
      authorization: authorizationFor(this.#entries.get(entry.name), entry.settings.target),
      signal,
    });
  }

  async restart(name: string): Promise<void> {
    this.follow();
    const running = this.#known(name);
    if (running.server === undefined) {
      const { entry } = running;
      const isOff = entry.kind !== "misconfigured";
      throw new McpError("mcp.misconfigured", isOff ? "it is switched off; switch it on first" : entry.problem);
    }
    const { server } = running;
    const section = this.#options.settings();
    const restartsBefore = running.restartsBefore + server.restarts + 1;
    this.#entries.set(name, { ...this.#entryOf(running.entry, section, { ...running, key: "" }), restartsBefore });
    server.retire();
    this.#entries.get(name)?.server?.start();
  }

  async decide(name: string, decision: McpDecision): Promise<McpServerDetail> {
    this.follow();
    const running = this.#known(name);
    if (await this.#options.pins.decide(name, decision, this.#options.clock.now())) this.#refresh();
    return detailOf(running, this.#definitionsOf(name));
  }

  /** What a server shows next is approved as of a new one: for one that is removed, or is another by the operator's will. */
  async forget(name: string): Promise<void> {
    this.follow(); // One that was removed ends first: its connection would be taken for that of a new one of its name.
    await this.#options.pins.forget(name);
    this.#refresh();
    if (this.#entries.get(name)?.server !== undefined) await this.restart(name);
  }

  signIn(name: string): McpSignIn {
    this.follow();
    return signInOperations(this.#known(name).signIn, () => this.restart(name));
  }

  #known(name: string): RunningEntry {
    const running = this.#entries.get(name);
    if (running === undefined) throw new McpError("mcp.unknown_server", "there is no MCP server of this name");
    return running;
  }

  /** An entry with its connection: the one before where nothing changed that it was made from. */
  #entryOf(
    entry: McpServerEntry,
    section: McpSectionValue,
    before: (RunningEntry & { readonly key: string }) | undefined,
  ): RunningEntry & { readonly key: string } {
    const { name } = entry;
    const secrets = section.secrets[name] ?? {};
    const { calls, resources } =
      before ??
      callsOf({
        ...{ name, options: this.#options, held: this.#held },
        entry: () => this.#entries.get(name),
        effect: (tool) => this.#rows.get(name)?.find(({ pin }) => pin.name === tool)?.effect,
      });
    const kept = {
      calls,
      resources,
      secrets,
      restartsBefore: before?.restartsBefore ?? 0,
      listWarnings: before?.listWarnings ?? [],
    };
    if (!section.enabled || entry.kind !== "server" || !entry.settings.enabled)
      return { entry, ...kept, server: undefined, signIn: undefined, key: "" };
    const { target, elicitation, sampling, roots, inheritEnv, oauth = null } = entry.settings;
    const made = { target, elicitation, sampling, roots, inheritEnv, oauth, secrets, timeout: section.timeout_seconds };
    const key = canonicalJson(made as unknown as JsonValue);
    const same = before?.key === key ? before : this.#serverOf(entry.settings, section, calls);
    return { entry, ...kept, server: same.server, signIn: same.signIn, key };
  }

  #serverOf(settings: McpServerSettings, section: McpSectionValue, calls: ServerCalls) {
    const { name } = settings;
    return managedServerOf({
      ...{ settings, section, calls, options: this.#options, places: this.#places },
      placeholders: this.#placeholdersOf(settings, section),
      onShown: (server, lists) => this.#shown(name, server, lists),
      onChanged: (server) => this.#changed(name, server),
    });
  }

  #placeholdersOf({ name, inheritEnv }: McpServerSettings, section: McpSectionValue): PlaceholderSource {
    const { environment, isForbidden } = this.#options;
    return { secrets: section.secrets[name] ?? {}, inheritEnv, environment, isForbidden };
  }

  async #shown(name: string, server: ManagedServer, lists: ShownLists): Promise<void> {
    const running = this.#entries.get(name);
    if (running?.server !== server || running.entry.kind !== "server") return;
    const { pins, clock, bus, log, redactor } = this.#options;
    const { target, pinning } = running.entry.settings;
    const { definitions, warnings } = readShown(lists, (text) => redactor.known(text));
    this.#entries.set(name, { ...running, listWarnings: warnings });
    const { changed, held } = await pins.observe(name, {
      ...{ target: targetDigest(target), kinds: ["tool", "prompt"], definitions, pinning, at: clock.now() },
      hasResources: lists.hasResources,
    });
    if (changed) this.#refresh();
    if (held.length === 0) return;
    bus.publish("mcp.definitions_held", { server: name, names: held });
    log.warn(`${held.length} definitions of the MCP server ${name} wait for approval`);
  }

  #changed(name: string, server: ManagedServer): void {
    if (this.#entries.get(name)?.server !== server) return;
    const { state, era } = server;
    const { pins, clock, log } = this.#options;
    if (!this.#states.publish(name, server)) return;
    if (state !== "ready" || era === undefined) return;
    pins.noteEra(name, era, clock.now()).catch((error: unknown) => log.warn(`the era of ${name}: ${String(error)}`));
  }

  #definitionsOf(name: string): EntryDefinitions {
    const { pins } = this.#options;
    return {
      pins: pins.of(name),
      rows: this.#rows.get(name) ?? [],
      prompts: this.#prompts.rowsOf(name),
      era: pins.era(name)?.era as McpEra | undefined,
    };
  }

  /** Makes rows and tools of the pins and the settings as they are now. */
  #refresh(): void {
    const { settings: read, pins, bus } = this.#options;
    const running = [...this.#entries.values()];
    const servers = running.flatMap(({ entry }) =>
      entry.kind === "server" ? [{ settings: entry.settings, pins: pins.of(entry.name) }] : [],
    );
    this.#rows = toolRows(servers, read().denylist);
    this.#prompts.update(servers, read().denylist);
    const before = this.#list;
    this.#list = this.#tools.update(running.flatMap((one) => partsOf(one, this.#rows.get(one.entry.name) ?? [])));
    if (this.#list !== before) bus.publish("mcp.tools_changed", { count: this.#list.length });
  }
}
