import {
  type GatewayReply,
  type GatewayRequest,
  textReply,
  toolReply,
} from "../../packages/agent-core/src/testing/index.ts";
import { NOTICE } from "./repository.ts";

/** What the person of the walk says. */
export const SAYS = {
  spelling: "Correct the spelling in the README of figures, and show it to me.",
  tests: "Run the tests.",
  notice: `Put "${NOTICE.after}" into the head of every module, and delete OWNERS.`,
} as const;

/** What the model writes for the third of them. */
export const SCRIPT = `const project = "figures";
const found = await tools.search_files({ project, pattern: "${NOTICE.before}", output: "files" });
const paths = found.split("\\n").filter((line) => line.endsWith(".js")).sort();
const edit = (path) =>
  tools.edit_file({ project, path, old_string: "${NOTICE.before}", new_string: "${NOTICE.after}" });
for (const path of paths.slice(0, 15)) await edit(path);
await tools.delete_file({ project, path: "OWNERS" });
for (const path of paths.slice(15)) await edit(path);
return \`\${paths.length} modules have the new notice; OWNERS is gone.\`;`;

const project = "figures";
/** What each message leads to: a call after the other, and what is said about their results. */
const TURNS: { readonly [message: string]: readonly [calls: readonly Call[], say: (results: string[]) => string] } = {
  [SAYS.spelling]: [
    [
      { name: "read_file", args: { project, path: "README.md" } },
      {
        name: "edit_file",
        args: { project, path: "README.md", old_string: "lists of numbres", new_string: "lists of numbers" },
      },
      { name: "show_code", args: { project, path: "README.md", start: 3, note: "numbers, not numbres" } },
    ],
    () => "It said *numbres*. `README.md` says **numbers** now, in line 3.",
  ],
  [SAYS.tests]: [
    [{ name: "run_command", args: { project, command: "npm test" } }],
    ([output = ""]) => {
      const passed = /pass (\d+)/.exec(output)?.[1];
      return passed === undefined ? "They did not run." : `All ${passed} tests pass.`;
    },
  ],
  [SAYS.notice]: [[{ name: "execute_code", args: { code: SCRIPT } }], ([result = ""]) => result],
};

interface Call {
  readonly name: string;
  readonly args: object;
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A model behind an OpenAI-compatible address that does what the walk shows, from the conversation alone. */
export function handsModel({ body }: GatewayRequest): GatewayReply {
  const { messages } = body as Asked;
  const at = messages.findLastIndex(({ role }) => role === "user");
  const said = textOf(messages[at]?.content);
  const turn = Object.entries(TURNS).find(([message]) => said.includes(message))?.[1];
  if (turn === undefined) return textReply("ready");
  const [calls, say] = turn;
  const results = messages
    .slice(at + 1)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => textOf(content));
  const next = calls[results.length];
  return next === undefined ? textReply(say(results)) : toolReply(next);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { readonly text?: string }) => part.text ?? "").join("");
}
