import { type Environment, isServiceLink } from '@whetstone/platform';

/** How the variables of each part of a cluster begin. */
export const clusterPrefixes = {
  kafka: /^WHETSTONE_KAFKA_/,
  milvus: /^WHETSTONE_MILVUS_/,
  roots: /^WHETSTONE_(PREVIOUS_)?ROOT_SECRET/,
};

export type ClusterPart = keyof typeof clusterPrefixes;

/**
 * Those variables of the environment that concern these parts, misspelt ones too. A container may have many others, which are
 * for the service that it runs.
 */
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
