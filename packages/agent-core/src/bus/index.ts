export { BusEvent, type EventPlace } from "./bus-event.ts";
export type { EventBus } from "./event-bus.ts";
export { EventLog, type EventLogBounds, type EventLogOptions } from "./event-log.ts";
export { tellTasks } from "./task-topics.ts";
export { topicProblem } from "./topic.ts";
