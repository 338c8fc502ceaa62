import { defineResource } from "../resource/index.ts";
import { chatRoutes, listCommands, readFileText, sendChat } from "./routes.ts";

export const chat = defineResource({
  name: "chat",
  feature: "chat",
  definitions: [sendChat, readFileText, listCommands],
  routes: chatRoutes,
});
