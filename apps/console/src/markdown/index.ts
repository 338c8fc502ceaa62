export { CodeBlock } from "./code/code-block.tsx";
export { CopyButton } from "./copy-button.tsx";
export { loadMarkdown, Markdown } from "./markdown.tsx";
