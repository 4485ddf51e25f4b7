import { createAccounts } from '../support/accounts.js';

it('GET / tells status, service and version', async () => {
  const { client } = await createAccounts().open();

  const answer = await client.request<{ service: string }>('GET', '/');

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: 'ok', service: expect.stringMatching(/whetstone/i), version: '1.0.0' });
});
