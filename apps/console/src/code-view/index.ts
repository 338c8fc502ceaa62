export { besideOf, CodeCard } from "./code-card.tsx";
export { type CodePlace, type LineRange, linesValue, parseLines, readCodePlace } from "./code-place.ts";
export { DiffView } from "./diff-view.tsx";
export { FileView } from "./file-view.tsx";
export { keepFollowed, useFollow, wasFollowed } from "./follow.ts";
