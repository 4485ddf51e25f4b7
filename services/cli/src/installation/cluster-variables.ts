import { type Environment, isServiceLink } from '@whetstone/platform';

const clusterPrefixes = {
  kafka: /^WHETSTONE_KAFKA_/,
  milvus: /^WHETSTONE_MILVUS_/,
  roots: /^WHETSTONE_(PREVIOUS_)?ROOT_SECRET/,
};

export type ClusterPart = keyof typeof clusterPrefixes;

/** The variables of these parts, misspelt ones included. A container may have many others, for its own service. */
export function clusterVariables(
  env: Environment,
  parts: readonly ClusterPart[] = Object.keys(clusterPrefixes) as ClusterPart[],
): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value && !isServiceLink(name, value) && parts.some((part) => clusterPrefixes[part].test(name)),
    ),
  );
}
