/** Why an insight that was made is not kept; the label of a metric. */
export const dropReasons = ['overrides_instructions', 'unvisited_host', 'secret', 'too_many'] as const;

export type DropReason = (typeof dropReasons)[number];
export type Dropped = Partial<Record<DropReason, number>>;
