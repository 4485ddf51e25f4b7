/** What misbehaving-analysis.ts obeys. */
export const harms = ['harm by hanging', 'harm by eating', 'harm by leaving'] as const;
