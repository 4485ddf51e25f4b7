import { randomBytes } from 'node:crypto';

/** A span of OTLP, as JSON. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
}

interface Attribute {
  key: string;
  value: { stringValue: string } | { boolValue: boolean };
}

/** The spans of an agent that ran these commands, the root last, as emitters send them. */
export function agentTrace({
  task,
  commands,
  success,
}: {
  task: string;
  commands: string[];
  success?: boolean;
}): Span[] {
  const traceId = randomBytes(16).toString('hex');
  const root = randomBytes(8).toString('hex');
  const beganMs = Date.now();
  const times = (fromMs: number, toMs: number) => ({
    startTimeUnixNano: `${beganMs + fromMs}000000`,
    endTimeUnixNano: `${beganMs + toMs}000000`,
  });
  const steps = commands.map((command, at) => ({
    traceId,
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: root,
    name: 'execute_tool run_shell',
    ...times(at + 1, at + 2),
    attributes: [
      text('gen_ai.operation.name', 'execute_tool'),
      text('gen_ai.tool.name', 'run_shell'),
      text('gen_ai.tool.call.arguments', JSON.stringify({ command })),
      text('gen_ai.tool.call.result', `did step ${at + 1}`),
    ],
  }));
  const input = [{ role: 'user', parts: [{ type: 'text', content: task }] }];
  const whole = {
    traceId,
    spanId: root,
    name: 'invoke_agent shell',
    ...times(0, commands.length + 2),
    attributes: [
      text('gen_ai.operation.name', 'invoke_agent'),
      text('gen_ai.agent.name', 'shell'),
      text('gen_ai.input.messages', JSON.stringify(input)),
      ...(success === undefined ? [] : [{ key: 'whetstone.success', value: { boolValue: success } }]),
    ],
  };
  return [...steps, whole];
}

export function exportOf(spans: readonly Span[], resource: Record<string, string> = {}) {
  const attributes = Object.entries(resource).map(([key, value]) => text(key, value));
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] };
}

function text(key: string, stringValue: string): Attribute {
  return { key, value: { stringValue } };
}
