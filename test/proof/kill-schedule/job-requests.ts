/** Requests for jobs, over the operator API. */
import { askOperator } from "../ask-operator.ts";

export interface JobReply {
  readonly status: number;
  readonly body: {
    readonly detail?: unknown;
    readonly job?: JobBody;
    readonly run?: { readonly slot: string; readonly attempt: number };
  };
}

export interface JobBody {
  readonly id: string;
  readonly enabled: boolean;
  readonly schedule: string;
  readonly pause_reason: string | null;
  readonly kind: string;
}

/** Asks for a job below `/api/scheduler/jobs`. @throws LostError, BrokenServiceError */
export function askFor(
  url: string,
  { path = "", ...request }: { method: string; path?: string; body?: object; key?: string },
): Promise<JobReply> {
  return askOperator<JobReply["body"]>(url, { ...request, path: `/api/scheduler/jobs${path}` });
}
