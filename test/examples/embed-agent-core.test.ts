import { expect, test } from "vitest";
import { run } from "../process/run.ts";

const root = new URL("../..", import.meta.url).pathname;

test("the engine embedded in another program parks, is answered and completes as in its README", async () => {
  const { MODEL_API_BASE: _, ...env } = process.env;
  const script = "examples/embed-agent-core/src/main.ts";
  const node = [process.execPath, ["--conditions=@agent-service/source", script], { cwd: root, env }] as const;
  expect(await run(...node)).toEqual({
    code: 0,
    output: `1 task.accepted
2 model.started
3 model.finished
4 task.parked
parked {
  kind: 'approval',
  title: 'Cancel order 7?',
  detail: 'It has not been sent yet.',
  grantable: true,
  tool: 'cancel_order',
  args: { id: 7 }
}
completed [
  { kind: 'text', text: 'cancel_order returned: Order 7 is canceled.' }
]
`,
  });
});
