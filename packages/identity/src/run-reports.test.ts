import { randomBytes } from 'node:crypto';

import { decryptReport, encryptReport } from './run-reports.js';

const key = { id: 'key1', bytes: new Uint8Array(randomBytes(32)) };
const report = { query: 'Refund an order – 東京', agentType: 'shop', trail: [], lessons: [{ id: 'l', title: 't' }] };

it('a report opens with its key and for its job only, and shows nothing without', () => {
  const encrypted = encryptReport(report, 'job_1', key);

  expect(encrypted).toEqual({ dataKeyId: 'key1', data: expect.any(String) });
  expect(Buffer.from(encrypted.data, 'base64').includes('Refund')).toBe(false);
  expect(decryptReport(encrypted, 'job_1', key.bytes)).toEqual(report);
  expect(() => decryptReport(encrypted, 'job_2', key.bytes)).toThrow('another key');
  expect(() => decryptReport(encrypted, 'job_1', new Uint8Array(randomBytes(32)))).toThrow('another key');
});
