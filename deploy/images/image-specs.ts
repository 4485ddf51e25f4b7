export const imageNames = ['gateway', 'analyser', 'indexer', 'status', 'standalone'] as const;

export type ImageName = (typeof imageNames)[number];

export interface ImageSpec {
  /** What the image runs, from the root of the repository. */
  service: string;
  /**
   * What the command line does without in this image, as it imports it: the clients of engines that the service does not
   * use. Only what is loaded on demand can be left out.
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

/** The module that a service starts with. */
export function mainOf({ service }: ImageSpec): string {
  return `${service}/dist/main.js`;
}
