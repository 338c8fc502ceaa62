export { BesideButton } from "./beside/beside-button.tsx";
export { BesideContext, type BesideDocument, type OpenBeside, ROOM, useOpenBeside } from "./beside/beside-context.ts";
export { OpenedBeside } from "./beside/opened-beside.tsx";
export { CodeBlock } from "./code/code-block.tsx";
export type { CodeToken } from "./code/colour-code.ts";
export { highlight } from "./code/highlight.ts";
export { CopyButton } from "./copy-button.tsx";
export { loadMarkdown, Markdown } from "./markdown.tsx";
