export { operationInput, operationRequest } from "./operation-arguments.ts";
