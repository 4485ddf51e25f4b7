/** What the reader of a dashboard has chosen; in every selector. */
export const chosen = 'namespace=~"$namespace", job=~"$job"';

/** Other programs on Node export the same names. */
export const ofWhetstone = `and on (job, instance) whetstone_memory_limit_bytes{${chosen}}`;

export const uploads = 'http_request_method="POST", http_route="/store_knowledge"';
export const enhancing = 'http_request_method="POST", http_route="/enhance_task"';

export interface QuantileOptions {
  /** Labels to tell apart. */
  by?: string;
  /** What to look at only. */
  where?: string;
}

export function quantile(share: number, histogram: string, { by, where }: QuantileOptions = {}): string {
  const labels = by === undefined ? 'le' : `le, ${by}`;
  const selected = where === undefined ? chosen : `${where}, ${chosen}`;
  const buckets = `rate(${histogram}_bucket{${selected}}[$__rate_interval])`;
  return `histogram_quantile(${share}, sum by (${labels}) (${buckets}))`;
}
