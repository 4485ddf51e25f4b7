import { routes, scopeMissing } from './routes.js';

it('a missing scope is told with what the key may do and what the operation needs', () => {
  expect(scopeMissing(routes.deleteByIntent, ['ask', 'record'])).toBe(
    'This key may ask and record; delete_by_intent needs curate',
  );
  expect(scopeMissing(routes.getKnowledgeStatus, ['ask'])).toBe('This key may ask; knowledge_status needs record');
  expect(scopeMissing(routes.eraseCollection, ['ask', 'record', 'admin'])).toBe(
    'This key may ask, record and admin; DELETE /collections needs curate',
  );
  expect(scopeMissing(routes.giveFeedback, [])).toBe('This key may do nothing; POST /feedback needs ask or record');
});

it('no two operations share a method and a path', () => {
  const names = Object.values(routes).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);

  expect(new Set(names).size).toBe(names.length);
});
