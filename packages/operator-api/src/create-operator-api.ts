import { type OperatorResource, operatorResources } from "./operator-resources.ts";
import { type MountOptions, mountResources } from "./resource/index.ts";
import type { OperatorRoute } from "./route/index.ts";

/** What the operator API is made of. */
export type OperatorApiOptions = Omit<MountOptions<OperatorResource>, "resources">;

/** The operator API as rows for the service's route table, in the order a router must see them. @throws ResourceError */
export function createOperatorApi(options: OperatorApiOptions): readonly OperatorRoute[] {
  return mountResources<OperatorResource>({ ...options, resources: operatorResources });
}
