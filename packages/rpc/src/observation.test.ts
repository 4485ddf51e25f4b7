import { AppError, Registry, withSpan } from '@whetstone/platform';
import { eventually, recordSpans } from '@whetstone/platform/test-kit';

import { anEnhancement, aSearch, nothingFound } from './test-kit/messages.js';
import { rpcSite } from './test-kit/rpc-site.js';

const { serve, clientOf } = rpcSite();

const spans = recordSpans();

describe('a call through two services', () => {
  it('is one trace: each side has its span, and the log lines tell it', async () => {
    const { analyser, indexer, toAnalyser } = await twoHops();

    await withSpan('request', { kind: 'server' }, () =>
      toAnalyser.call('Enhance', anEnhancement, { requestId: 'req-1' }),
    );

    await eventually(() => analyser.lines().length > 0 && indexer.lines().length > 0);
    const [root] = spans.getFinishedSpans().filter(({ name }) => name === 'request');
    const traceId = root?.spanContext().traceId;
    const enhance = 'whetstone.analyser.v1.AnalyserService/Enhance';
    const search = 'whetstone.indexer.v1.IndexerService/Search';
    expect(wayDown()).toEqual([
      ['request', 'SERVER'],
      [enhance, 'CLIENT'],
      [enhance, 'SERVER'],
      [search, 'CLIENT'],
      [search, 'SERVER'],
    ]);
    for (const { lines } of [analyser, indexer]) {
      expect(lines()).toEqual([expect.objectContaining({ msg: 'call', request_id: 'req-1', trace_id: traceId })]);
    }
  });

  it('takes no request id that is none', async () => {
    const { analyser, toAnalyser } = await twoHops();

    await toAnalyser.call('Enhance', anEnhancement, { requestId: 'two words "quoted"' });

    await eventually(() => analyser.lines().length > 0);
    expect(analyser.lines()[0]).not.toHaveProperty('request_id');
  });

  it('is an error only on the side that is to blame', async () => {
    const { target } = await serve('status', {
      GetJob: () => Promise.reject(new AppError('job_not_found', 'no such job')),
    });

    await clientOf('status', target)
      .call('GetJob', { jobId: 'j' }, {})
      .catch(() => {});

    await eventually(() => spans.getFinishedSpans().length === 2);
    const ends = spans.getFinishedSpans().map(({ kind, status, attributes }) => ({
      kind: kinds[kind],
      error: status.code === 2,
      code: attributes['rpc.response.status_code'],
    }));
    expect(ends).toContainEqual({ kind: 'SERVER', error: false, code: 'NOT_FOUND' });
    expect(ends).toContainEqual({ kind: 'CLIENT', error: true, code: 'NOT_FOUND' });
  });
});

describe('metrics', () => {
  it('count calls by service, method and status, on both sides, for all clients of a process together', async () => {
    const { target, registry: ofServer } = await serve('indexer', {
      Search: async ({ limit }) => {
        if (limit === 0) throw new AppError('invalid_argument', 'nothing asked for');
        return nothingFound;
      },
    });
    const registry = new Registry();
    const clients = [clientOf('indexer', target, { registry }), clientOf('indexer', target, { registry })];

    const unused =
      '{rpc_service="whetstone.indexer.v1.IndexerService",rpc_method="Replace",rpc_response_status_code="OK"} 0';
    expect(await registry.metrics()).toContain(`rpc_client_call_duration_seconds_count${unused}`);
    for (const client of clients) {
      await client.call('Search', aSearch, {});
      await client.call('Search', { ...aSearch, limit: 0 }, {}).catch(() => {});
    }

    const labels = (code: string) =>
      `{rpc_service="whetstone.indexer.v1.IndexerService",rpc_method="Search",rpc_response_status_code="${code}"} 2`;
    for (const [side, text] of [
      ['client', await registry.metrics()],
      ['server', await ofServer.metrics()],
    ]) {
      expect(text).toContain(`rpc_${side}_call_duration_seconds_count${labels('OK')}`);
      expect(text).toContain(`rpc_${side}_call_duration_seconds_count${labels('INVALID_ARGUMENT')}`);
    }
  });
});

const kinds = ['INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** From the first span down to the last, each the parent of the next. */
function wayDown(): (string | undefined)[][] {
  const finished = spans.getFinishedSpans();
  const way = [];
  let parent: string | undefined;
  for (;;) {
    const next = finished.find(({ parentSpanContext }) => parentSpanContext?.spanId === parent);
    if (!next) return way;
    way.push([next.name, kinds[next.kind]]);
    parent = next.spanContext().spanId;
  }
}

async function twoHops() {
  const indexer = await serve('indexer');
  const toIndexer = clientOf('indexer', indexer.target);
  const analyser = await serve('analyser', {
    Enhance: async ({ inputText }, call) => {
      await toIndexer.call('Search', aSearch, call);
      return { response: inputText, confidenceScore: 0, enhancementId: 'e', recommendations: [], holdout: false };
    },
  });
  return { analyser, indexer, toAnalyser: clientOf('analyser', analyser.target) };
}
