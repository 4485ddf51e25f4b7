import { announce, announcementOf } from './announce.js';

const listening = {
  gateway: { address: { address: '127.0.0.1', family: 'IPv4', port: 8080 } },
  opsAddress: { address: '127.0.0.1', family: 'IPv4', port: 9464 },
  folder: '/srv/whetstone',
  docs: true,
  firstKey: undefined,
};

describe('the announcement of a start', () => {
  it('says where it listens and where the data is', () => {
    const text = announce(announcementOf(listening));

    expect(text).toContain('http://127.0.0.1:8080');
    expect(text).toContain('http://127.0.0.1:9464/readyz');
    expect(text).toContain('/srv/whetstone');
  });

  it('shows the first key with the first call to make, and otherwise how to get one', () => {
    expect(announce(announcementOf({ ...listening, firstKey: 'wst_k' }))).toMatch(/WHETSTONE_KEY=wst_k[\s\S]*curl/);
    expect(announce(announcementOf(listening))).toContain('npx whetstone keys issue');
  });

  it('names this machine where it listens on all addresses', () => {
    const everywhere = { gateway: { address: { address: '::', family: 'IPv6', port: 80 } } };

    expect(announcementOf({ ...listening, ...everywhere }).url).toBe('http://localhost:80');
  });

  it('does not point to documentation that is switched off', () => {
    expect(announce(announcementOf({ ...listening, docs: false }))).not.toContain('/docs');
  });
});
