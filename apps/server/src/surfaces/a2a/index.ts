export { advertisedAddress } from "./agent-card.ts";
export { a2aRoutes } from "./routes.ts";
export { webhookPosts } from "./webhook-posts.ts";
