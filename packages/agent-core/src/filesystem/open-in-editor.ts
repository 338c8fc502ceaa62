/** The tool `open_in_editor`: a file of a project in the editor of the operator's desktop (F26). */
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Clock } from "../clock/index.ts";
import type { Fence, Located, ReachableProject } from "../fence/index.ts";
import { type Environment, processEnvironment, startDetached } from "../process/index.ts";
import { findEditor } from "./editor-command.ts";
import { clamped, fileArguments, OF_FILES, pathArgument } from "./path-arguments.ts";

/** How long a failure of the editor is waited for. */
const WAIT_MS = 1_500;
/** Editors in a minute: a script could ask for hundreds. */
const MOST_IN_A_MINUTE = 10;
const MINUTE_MS = 60_000;
/** What a program needs to show a window, beside what every program is given. */
const DESKTOP = /^(?:DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|VSCODE_IPC_HOOK_CLI|XDG_[A-Z_]+)$/;

/** What of a conversation can be continued in the editor. */
export interface EditorHandoff {
  readonly taskId: string;
  readonly contextId: string;
  readonly project: ReachableProject;
  readonly path: string;
  readonly line: number | undefined;
}

export interface EditorOptions {
  readonly fence: Fence;
  readonly clock: Clock;
  readonly settings: () => { readonly editor_command: string; readonly editor_handoff: boolean };
  /** Of the service. */
  readonly inherited: Environment;
  /** The user's, where the editor is started. */
  readonly userHome: string;
  /** Offers a conversation to an agent in the editor. The function that is returned takes the offer back. */
  readonly offer: (handoff: EditorHandoff) => Promise<() => void>;
}

/** `open_in_editor(project, path, line?)`; exists where `filesystem.editor_command` is set. */
export function openInEditor(options: EditorOptions): AnyTool {
  const { fence, clock, settings, offer } = options;
  let started: readonly number[] = [];
  return defineTool({
    name: "open_in_editor",
    description: "Open a file in the user's editor.",
    input: fileArguments({
      project: v.string(),
      path: pathArgument,
      line: v.optional(clamped(1, 10_000_000)),
    }),
    effect: "effect",
    ...OF_FILES,
    content: "own",
    present: {
      asks: "Open {path} in the editor?",
      doing: "Opening {path} in the editor",
      done: "Opened {path} in the editor",
    },
    async run({ project, path, line }, { taskId, contextId, signal }) {
      const { named, absolute } = await locate(fence, project, path);
      const [program, ...args] = editorOf(options);
      const now = clock.now();
      started = started.filter((at) => now - at < MINUTE_MS);
      if (started.length >= MOST_IN_A_MINUTE)
        throw new Error(`${MOST_IN_A_MINUTE} files were opened in the last minute: name the others instead`);
      started = [...started, now];
      // Before the editor is there: an agent in it may ask at once.
      const withdraw = settings().editor_handoff
        ? await offer({ taskId, contextId, project: named, path, line })
        : undefined;
      const target = line === undefined ? absolute : `${absolute}:${line}`;
      const editor = { argv: [program, ...args, target], cwd: options.userHome, env: environmentOf(options) } as const;
      try {
        const end = await startDetached(editor, { clock, waitMs: WAIT_MS, signal });
        if (end !== undefined && end.code !== 0)
          throw new Error(`the editor ended at once with ${end.signal ?? `code ${end.code}`}`);
      } catch (error) {
        withdraw?.();
        throw error;
      }
      const opened = `opened ${line === undefined ? path : `${path}:${line}`} of project ${named.name} in the editor`;
      return withdraw === undefined ? opened : `${opened}; the agent there can continue this conversation`;
    },
  });
}

/** What is held of the file is let go at once: the editor opens it by its path. */
async function locate(fence: Fence, project: string, path: string): Promise<Pick<Located, "named" | "absolute">> {
  await using located = await fence.open({ project, path, for: "read" });
  return { named: located.named, absolute: located.absolute };
}

function rootsOf(fence: Fence): readonly string[] {
  return fence.projects.all.flatMap(({ root, path }) => [path, ...(root === undefined ? [] : [root])]);
}

function environmentOf({ fence, inherited }: EditorOptions): Record<string, string> {
  const pass = Object.keys(inherited).filter((name) => DESKTOP.test(name));
  return processEnvironment({ inherited, writable: rootsOf(fence), pass });
}

function editorOf(options: EditorOptions): readonly [string, ...string[]] {
  const { PATH: path = "" } = environmentOf(options);
  return findEditor(options.settings().editor_command, { path, roots: rootsOf(options.fence) });
}
