export {
  type Goal,
  type GoalEvent,
  goalBadge,
  pauseOf,
  progressOf,
  standing,
  tamperedFile,
} from "./goal-words.ts";
