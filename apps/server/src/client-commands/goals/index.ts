export { clearGoal, rearmGoal, resumeGoal, setGoal } from "./change-goals.ts";
export { PAUSES } from "./goal-words.ts";
export { listGoals, showGoal, showTimeline } from "./show-goals.ts";
