export { AgentFigure } from "./agent-figure.tsx";
export { Mark } from "./mark.tsx";
