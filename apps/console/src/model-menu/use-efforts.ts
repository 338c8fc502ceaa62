import { useQuery } from "@tanstack/react-query";
import { useApi, useRuntimeStatus } from "../api/index.ts";
import { modelsOfConnection } from "./models-of-connection.ts";

/** The reasoning efforts that a model takes, as far as they are known. */
export function useEfforts(model: string): readonly string[] {
  const { operator } = useApi();
  const lead = useRuntimeStatus()?.model;
  const connection = model.slice(0, model.indexOf(":"));
  const { data } = useQuery({ ...modelsOfConnection(operator, connection), enabled: model !== "" });
  if (model === "") return lead?.reasoning_efforts ?? [];
  const name = model.slice(connection.length + 1);
  return data?.details.find((one) => one.name === name)?.reasoning_efforts ?? [];
}
