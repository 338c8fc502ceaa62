import { defineResource } from "../resource/index.ts";
import { addProvider, editProvider, listProviders, providersRoutes, removeProvider } from "./routes.ts";

/** The connections to model providers. */
export const providers = defineResource({
  name: "providers",
  definitions: [listProviders, addProvider, editProvider, removeProvider],
  routes: providersRoutes,
});
