/** The k-th largest of the numbers, or -Infinity where there are fewer: a heap of the k largest, its smallest on top. */
export function kthLargest(values: Float32Array, k: number): number {
  if (values.length < k) return Number.NEGATIVE_INFINITY;
  const heap = values.slice(0, k).sort();
  for (let i = k; i < values.length; i++) {
    const value = values[i] as number;
    if (value > (heap[0] as number)) replaceSmallest(heap, value);
  }
  return heap[0] as number;
}

function replaceSmallest(heap: Float32Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if (child >= heap.length || (heap[child] as number) >= value) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = value;
}
