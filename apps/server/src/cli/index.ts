export { type BannerFacts, banner } from "./banner.ts";
export { type CrashOptions, endOnCrash } from "./end-on-crash.ts";
export { endProcess } from "./end-process.ts";
export { helpText } from "./help-text.ts";
export { packageVersion } from "./package-version.ts";
export { type Flags, parseFlags } from "./parse-flags.ts";
export { type Client, type Program, runCommand, type StartedService } from "./run-command.ts";
export { type RunningService, runUntilSignal, type ShutdownOptions } from "./run-until-signal.ts";
export { StartupError, type StartupErrorCode } from "./startup-error.ts";
