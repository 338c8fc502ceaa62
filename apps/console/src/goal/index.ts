export { GoalLine } from "./goal-line.tsx";
export {
  type Goal,
  type GoalEvent,
  goalBadge,
  progressOf,
  standing,
  tamperedFile,
} from "./goal-words.ts";
