import { randomBytes } from 'node:crypto';
import type { EncryptedReport } from '@whetstone/contracts';
import { decryptReport } from '@whetstone/identity';

import { anUpload, reflectionOf, startOfTest } from '../../test-kit/index.js';
import type { Reflection, UploadInHand } from '../ports.js';
import { reportRun } from './report-run.js';

const dataKey = { id: 'key1', bytes: new Uint8Array(randomBytes(32)) };

function inHand(query: string, more: Partial<UploadInHand> = { dataKey }): UploadInHand {
  const upload = anUpload({ at: startOfTest, query });
  return { ...upload, run: upload.interaction, whole: async () => upload, ...more };
}

function read(upload: UploadInHand, report: EncryptedReport | undefined) {
  return decryptReport(report as EncryptedReport, upload.jobId, dataKey.bytes);
}

describe('the report of a run', () => {
  it('tells its task, its actions and its lessons', () => {
    const upload = inHand('Refund an order');
    const learnt = reflectionOf(anUpload({ at: startOfTest, query: 'Refund an order' }).interaction);

    const report = read(upload, reportRun(upload, learnt, [{ id: 'lesson', title: 'What worked' }]));

    expect(report).toEqual({
      query: learnt.intent,
      agentType: 'tool-calling',
      trail: learnt.run.steps.map(({ action, outcome }) => ({ action, outcome })),
      lessons: [{ id: 'lesson', title: 'What worked' }],
    });
  });

  it('of a run that was not analysed tells what was uploaded', () => {
    const upload = inHand('Refund an order');

    expect(read(upload, reportRun(upload))).toMatchObject({ query: 'Refund an order', trail: [], lessons: [] });
  });

  it('is small, whatever was uploaded: the first and the last actions stay', () => {
    const steps = Array.from({ length: 5000 }, (_, turn) => ({
      turn,
      action: `${turn} ${'é'.repeat(1000)}`,
      outcome: 'ok' as const,
    }));
    const learnt = { intent: '🪨'.repeat(5000), run: { steps } } as unknown as Reflection;
    const upload = inHand('x'.repeat(100_000));

    const encrypted = reportRun(upload, learnt, [{ id: 'l', title: 't'.repeat(5000) }]) as EncryptedReport;
    const { query, trail, lessons } = read(upload, encrypted);

    expect(encrypted.data.length).toBeLessThan(9000);
    expect(query).toBe('🪨'.repeat(500));
    expect(trail[0]?.action.startsWith('0 ')).toBe(true);
    expect(trail.at(-1)?.action.startsWith('4999 ')).toBe(true);
    expect(lessons[0]?.title).toHaveLength(200);
  });

  it('does not exist for an upload without a data key: nothing could make it unreadable', () => {
    expect(reportRun(inHand('Refund an order', {}))).toBeUndefined();
  });
});
