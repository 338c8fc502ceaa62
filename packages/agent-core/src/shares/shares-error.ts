import { CodedError } from "../error/index.ts";

/** Why a share was not made. `code` is stable. */
export class SharesError extends CodedError<
  "full" | "incognito" | "nothing_to_share" | "not_found" | "repeated" | "too_large"
> {
  override readonly name = "SharesError";
}
