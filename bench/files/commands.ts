/** A command beside the same program started by hand. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FilesCase, interleaved, show, time } from "./case.ts";
import { openBenchEngine } from "./engine.ts";

export const commands: FilesCase = {
  name: "commands",
  async run({ rounds }) {
    const engine = await openBenchEngine();
    try {
      const found = await interleaved(rounds * 5, {
        async spawn() {
          const child = spawn("true", [], { cwd: engine.root, stdio: ["ignore", "pipe", "pipe"] });
          child.stdout.resume();
          child.stderr.resume();
          await once(child, "close");
        },
        run_command: async () =>
          void (await engine.call("run_command", { command: "true", project: "", cwd: ".", timeout: 60 })),
      });
      show("the program `true` in an empty project", found);
      return [time("run_command beyond spawn", found.run_command - found.spawn, 15)];
    } finally {
      await engine.close();
    }
  },
};
