/** What a process itself reports. */
export async function residentMegabytes({ opsUrl }: { opsUrl: string }): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? [];
  return Number(bytes) / 1e6;
}
