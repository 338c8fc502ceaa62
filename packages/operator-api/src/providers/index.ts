export {
  addProvider,
  editProvider,
  listProviders,
  type Provider,
  type ProvidersService,
  providersRoutes,
  removeProvider,
} from "./routes.ts";
