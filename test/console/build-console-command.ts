/** A step of the test command: builds the console, which several test files share, unless its content was built before. */
import { builtConsole } from "./rig/built-console.ts";

const { folder } = await builtConsole();
console.log(`console: ${folder}`);
