import { announce, announceInLog, urlOf } from './announce.js';

const started = {
  url: 'http://127.0.0.1:8080',
  opsUrl: 'http://127.0.0.1:9464',
  dataFolder: '/srv/whetstone',
  docs: true,
  console: true,
  firstKey: undefined,
};

describe('what a start prints', () => {
  it('says where it listens and where the data is', () => {
    const text = announce(started);

    expect(text).toContain('http://127.0.0.1:8080');
    expect(text).toContain('http://127.0.0.1:9464/readyz');
    expect(text).toContain('/srv/whetstone');
  });

  it('shows the first key with the first call to make', () => {
    expect(announce({ ...started, firstKey: 'wst_k' })).toMatch(/WHETSTONE_KEY=wst_k\n.*curl/);
  });

  it('says in a log where it listens and how to issue a key', () => {
    const [fields, message] = announceInLog(started);

    expect(message).toBe('Listening on http://127.0.0.1:8080');
    expect(fields).toMatchObject({
      dataFolder: '/srv/whetstone',
      issueKey: expect.stringMatching(/keys issue .*\/srv/),
    });
  });

  it('says without a first key how to issue one, on this data folder', () => {
    expect(announce(started)).toMatch(/npx whetstone keys issue --account .* --data '\/srv\/whetstone'/);
  });

  it('points to the documentation only where it is served', () => {
    expect(announce(started)).toContain('/docs');
    expect(announce({ ...started, docs: false })).not.toContain('/docs');
    expect(announce(started)).toContain('/console');
    expect(announce({ ...started, console: false })).not.toContain('/console');
  });

  it('names localhost where it listens on all addresses', () => {
    expect(urlOf({ address: '::', family: 'IPv6', port: 80 })).toBe('http://localhost:80');
  });
});
