/** Names under which clouds and orchestrators offer credentials to whoever asks from inside. */
const METADATA_HOSTS: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.internal",
  "metadata.azure.com",
  "metadata.azure.internal",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com",
  "metadata.oraclecloud.com",
  "metadata.digitalocean.com",
  "instance-data",
  "instance-data.ec2.internal",
  "rancher-metadata",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
]);

/** Whether a host (in `plainHost` form) is refused by its name, whatever it resolves to: metadata names and localhost. */
export function isRefusedName(host: string): boolean {
  return METADATA_HOSTS.has(host) || host === "localhost" || host.endsWith(".localhost");
}
