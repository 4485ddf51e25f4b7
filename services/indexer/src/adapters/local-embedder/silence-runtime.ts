/**
 * The inference runtime reports on its use to its maker, and keeps an identifier of the machine for that, unless the process
 * says no before it is loaded. It asks the environment of the process, which only the main thread can change.
 */
export function silenceRuntime(): void {
  // biome-ignore lint/style/noProcessEnv: the runtime has no other way to be told
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}
