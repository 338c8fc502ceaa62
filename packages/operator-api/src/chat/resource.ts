import { defineResource } from "../resource/index.ts";
import { chatRoutes, listCommands, sendChat } from "./routes.ts";

export const chat = defineResource({
  name: "chat",
  feature: "chat",
  definitions: [sendChat, listCommands],
  routes: chatRoutes,
});
