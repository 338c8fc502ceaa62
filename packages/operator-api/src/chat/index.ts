export { type ChatMessage, type ChatService, chatDefinitions, chatRoutes, sendChat } from "./routes.ts";
export { chatBodySchema, chatReplySchema, inputRequiredSchema } from "./schema.ts";
