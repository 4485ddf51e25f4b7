import type { AddressInfo } from 'node:net';

import express from 'express';

/** The upload baseline: a route that parses the same body and discards it. Runs as its own process. */
const app = express();
app.use(express.json({ limit: '4mb' }));
app.post('/store_knowledge', (_request, response) => {
  response.status(202).json({ status: 'accepted' });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
