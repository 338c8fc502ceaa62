/** Which models a caller may name: the operator any, a peer those of `a2a.allowed_models` and the lead. */
import { nameMatcher, servingConnection } from "@agent-service/agent-core/host";
import { derive, type ServerSettings } from "../settings/index.ts";

/** Whether a caller of this class may use a model. Called for each request that names one. */
export type MayUseModel = (model: string, caller: string) => boolean;

/** Follows the current settings. */
export function mayUseModel(settings: Pick<ServerSettings, "a2a" | "models">): MayUseModel {
  const allows = derive(
    () => [settings.a2a, settings.models],
    ({ allowed_models: patterns }, { connections, lead }) => {
      // A value and a pattern are compared with their connection, so that no spelling of a model bypasses the list.
      const fullName = (value: string): string => {
        const serving = servingConnection(connections, value);
        return serving === undefined ? value : `${serving.connection.id}:${serving.name}`;
      };
      const fits = nameMatcher(patterns.flatMap((pattern) => [pattern, fullName(pattern)]));
      const leading = fullName(lead);
      return (model: string): boolean => {
        const wanted = fullName(model);
        return wanted === leading || fits?.(wanted) === true;
      };
    },
  );
  return (model, caller) => caller === "operator" || allows()(model);
}
