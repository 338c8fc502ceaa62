export { type EventsService, eventsRoutes, followEvents, publishEvent } from "./routes.ts";
export { EVENT_TOPICS, type EventTopic } from "./topics.ts";
