export {
  addProvider,
  editProvider,
  listProviders,
  type Provider,
  type ProvidersReader,
  type ProvidersWriter,
  providersReadRoutes,
  providersWriteRoutes,
  removeProvider,
} from "./routes.ts";
