import { type DemoInteraction, run } from '../interaction.js';

const agent = 'api-integrator';

export const apiRuns: DemoInteraction[] = [
  run(
    agent,
    'Export all contacts from the CRM API into a CSV file',
    'failed',
    ['http_get({"url":"https://crm.example/api/contacts"})', '{"total":1840,"items":[…100 contacts]}'],
    ['write_file({"path":"contacts.csv","rows":100})', '{"status":"ok"}'],
  ),
  run(
    agent,
    'Export all contacts from the CRM API into a CSV file',
    'succeeded',
    ['http_get({"url":"https://crm.example/api/contacts","limit":1000})', '{"error":"limit must be at most 200"}'],
    [
      'http_get({"url":"https://crm.example/api/contacts","limit":200})',
      '{"total":1840,"next":"c_200","items":[…200 contacts]}',
    ],
    [
      'http_get_all({"url":"https://crm.example/api/contacts","limit":200,"follow":"next"})',
      '{"items":1840,"pages":10}',
    ],
    ['write_file({"path":"contacts.csv","rows":1840})', '{"status":"ok"}'],
  ),
  run(
    agent,
    'Create 500 tasks in the project tool from this spreadsheet',
    'failed',
    ['create_tasks_parallel({"count":500})', '429 Too Many Requests: Retry-After: 30'],
    ['create_tasks_parallel({"count":500})', '429 Too Many Requests: Retry-After: 30'],
  ),
  run(
    agent,
    'Create 500 tasks in the project tool from this spreadsheet',
    'succeeded',
    ['create_tasks_parallel({"count":500})', '429 Too Many Requests: Retry-After: 30'],
    ['wait({"seconds":30})', 'ok'],
    ['create_tasks_batch({"batch_size":50,"pause_seconds":2,"idempotency_key":"row"})', '{"created":500}'],
  ),
  run(
    agent,
    'Fetch the weather of all our warehouse cities',
    'succeeded',
    ['http_get({"url":"https://weather.example/v1?city=Köln"})', '400 Bad Request: invalid characters in query'],
    ['http_get({"url":"https://weather.example/v1?city=K%C3%B6ln"})', '{"temp":7}'],
  ),
];
