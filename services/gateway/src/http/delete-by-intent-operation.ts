import { readDeleteByIntentQuery } from '@whetstone/contracts';

import type { DeleteByIntent } from '../domain/delete-by-intent.js';
import { callOf, type Operation } from './operation.js';
import { invalid } from './refusal.js';

export interface DeleteByIntentOptions {
  deleteByIntent: DeleteByIntent;
  timeoutMs: number;
}

export function deleteByIntentOperation({ deleteByIntent, timeoutMs }: DeleteByIntentOptions): Operation {
  return {
    method: 'post',
    path: '/delete_by_intent',
    route: '/delete_by_intent',
    timeoutMs,
    failure: { error: 'delete_failed', message: 'The deletion did not end; part of it may have been done' },
    prepare(req) {
      const { problems, body: query } = readDeleteByIntentQuery(queryOf(req.originalUrl));
      if (problems) throw invalid(problems);
      return async ({ caller, exchange }) => ({
        status: 200,
        body: await deleteByIntent(caller, query, exchange.arrivedAt, callOf(exchange)),
      });
    },
  };
}

function queryOf(url: string): string {
  const [withoutFragment = ''] = url.split('#', 1);
  const start = withoutFragment.indexOf('?');
  return start < 0 ? '' : withoutFragment.slice(start + 1);
}
