import type { AddressInfo } from 'node:net';

import express from 'express';

/** The baseline of uploads: a route that parses the same body and does nothing with it. Run as a process of its own. */
const app = express();
app.use(express.json({ limit: '4mb' }));
app.post('/store_knowledge', (_request, response) => {
  response.status(202).json({ status: 'accepted' });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
