export { BusEvent, type EventPosition } from "./bus-event.ts";
export type { EventBus } from "./event-bus.ts";
export { EventLog, type EventLogBounds, type EventLogOptions } from "./event-log.ts";
export { publishProgress, publishTasks } from "./task-topics.ts";
export { topicProblem } from "./topic.ts";
