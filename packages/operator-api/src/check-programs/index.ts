export { RUNS_PROGRAMS, refusePrograms } from "./refuse-programs.ts";
