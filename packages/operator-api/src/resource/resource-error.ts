/** What can be wrong with how an API is composed. */
export type ResourceErrorCode =
  | "resource.duplicate"
  | "resource.no_service"
  | "resource.no_feature"
  | "resource.not_built"
  | "resource.unserved"
  | "resource.undefined_route";

/** A resource cannot be mounted: a fault of the program that composes the API, thrown at its start. */
export class ResourceError extends Error {
  override readonly name = "ResourceError";
  readonly code: ResourceErrorCode;
  readonly resource: string;

  constructor(code: ResourceErrorCode, resource: string, message: string) {
    super(`the resource ${resource} ${message}`);
    this.code = code;
    this.resource = resource;
  }
}
