export const imageNames = ['gateway', 'analyser', 'indexer', 'status', 'standalone'] as const;

export type ImageName = (typeof imageNames)[number];

export interface ImageSpec {
  /** Path of the service that the image runs. */
  service: string;
  /**
   * Imports that the command line lacks in this image: clients of engines that the service does not use. Only dynamic imports
   * can be left out.
   */
  commandWithout: readonly string[];
}

/** The operators' command line, which is in every image. */
export const commandLine = 'services/cli/bin/whetstone.mjs';

const indexer = ['@whetstone/indexer', '@whetstone/indexer/milvus'];
const kafka = '@whetstone/event-log/kafka';

export const imageSpecs: Readonly<Record<ImageName, ImageSpec>> = {
  gateway: { service: 'services/gateway', commandWithout: indexer },
  analyser: { service: 'services/analyser', commandWithout: indexer },
  indexer: { service: 'services/indexer', commandWithout: [kafka] },
  status: { service: 'services/status', commandWithout: indexer },
  standalone: { service: 'services/standalone', commandWithout: [kafka, '@whetstone/indexer/milvus'] },
};

export function mainOf({ service }: ImageSpec): string {
  return `${service}/dist/main.js`;
}
