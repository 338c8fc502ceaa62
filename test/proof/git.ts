/** `pnpm proof:git`: hostile repositories under every route, tool and command of a service: none of their programs runs (GR1). */
import { runGit } from "./git/run-git.ts";

const { repositories, asked, ran, harmless, shown, undone } = await runGit();
console.log(`${repositories} hostile repositories, ${asked} requests and calls: ${ran.length} programs ran`);
for (const name of ran) console.log(`    ran: ${name}`);
console.log(`a diff was shown of ${shown.length} of them; plain git ran the programs of all but ${harmless.length}`);
console.log(`what a command changed was listed and taken back in ${undone.length} of them`);
for (const name of harmless) console.log(`    plain git did not run: ${name}`);
process.exitCode = ran.length + harmless.length === 0 && undone.length === repositories ? 0 : 1;
