// json-server over rows as it keeps them in memory. Started by serve-programs.mjs.
import { peer } from './peers.mjs';

process.on('message', ({ rows }) => {
  if (!rows) return;
  const jsonServer = peer('json-server');
  const app = jsonServer.create();
  app.use(jsonServer.router({ rows: rows.map((row, id) => ({ id, ...row })) }));
  const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
