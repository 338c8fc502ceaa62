/** Turns with a script, over HTTP: one that returns at once, and one with a hundred calls of a pure tool. */
import { realpathSync, rmSync } from "node:fs";
import { newHome } from "../targets.ts";
import { type FilesCase, interleaved, show, time } from "./case.ts";
import { startService, turn } from "./service.ts";

const CALLS = 100;
const MANY = `let sum = 0;
for (let i = 0; i < ${CALLS}; i++) sum += String(await tools.calculator({ expression: i + "+1" })).length;
return "sum " + sum;`;

export const scripts: FilesCase = {
  name: "scripts",
  async run({ rounds }) {
    const home = realpathSync(newHome());
    const server = await startService(home, "execute_code: {enabled: true}\n");
    try {
      const run = async (code: string, answer: string): Promise<void> => {
        const text = await turn(server.port, "execute_code", { code });
        if (!text.includes(answer)) throw new Error(text);
      };
      const found = await interleaved(rounds * 2, {
        turn: async () => void (await turn(server.port, "calculator", { expression: "6*7" })),
        script: () => run("return 'ended'", "ended"),
        calls: () => run(MANY, "sum"),
      });
      show(`turns with a call, a script, and a script of ${CALLS} calls`, found);
      return [
        time("a turn with a script", found.script, 150),
        time(`a turn with a script of ${CALLS} pure calls`, found.calls, 200),
      ];
    } finally {
      await server.kill();
      rmSync(home, { recursive: true, force: true });
    }
  },
};
