/** `pnpm proof:commands`: what `filesystem.run_auto_approve` lets run unseen, and what not (F10). */
import { runCommands } from "./commands/run-commands.ts";

const { shapes, wronglyApproved, harmless, asked } = runCommands();
console.log(`${shapes} shapes: ${wronglyApproved.length} approved wrongly`);
for (const command of wronglyApproved) console.log(`    ${JSON.stringify(command)}`);
console.log(`${harmless} harmless commands: ${harmless - asked.length} approved`);
for (const command of asked) console.log(`    asked about ${JSON.stringify(command)}`);
process.exitCode = wronglyApproved.length + asked.length === 0 ? 0 : 1;
