export { GoalLine } from "./goal-line.tsx";
