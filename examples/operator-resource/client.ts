// #region client
import { createOperatorClient, OperatorApiError } from "@agent-service/operator-api/client";

const client = createOperatorClient({
  baseUrl: process.env.SVC_URL ?? "http://127.0.0.1:7870",
  token: () => process.env.A2A_AUTH_TOKEN,
});

try {
  const { version, model, features } = await client.get("/api/runtime/status");
  const on = Object.entries(features).filter(([, { enabled }]) => enabled);
  console.log(`${version}, led by ${model.provider}:${model.name}; on: ${on.map(([name]) => name).join(", ")}`);
} catch (error) {
  if (!(error instanceof OperatorApiError)) throw error;
  console.error(`${error.status}: ${error.message}`);
}
// #endregion client
