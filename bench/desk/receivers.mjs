// Receivers of webhooks, with nothing of the program in them: they know which secret was good when, and take nothing else.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

const PREFIX = 'x-svc';

export async function startReceivers(count, { counts, violation }) {
  const receivers = [];
  for (let i = 0; i < count; i += 1) receivers.push(await startReceiver(i, { counts, violation }));
  return receivers;
}

async function startReceiver(number, { counts, violation }) {
  /** Secrets that one rotation told, with the time in which one of them came into force; the newest last. */
  const rotations = [];
  let isRotating = false;
  /** When the database last lost commits, a rotation maybe among them. */
  let lostAt = 0;
  const taken = new Map();
  const delays = [];
  let isFailing = false;

  /** A secret is good from its rotation on, and until the next one was answered. Times are milliseconds, signatures have seconds. */
  function judge(place, secret, signedAt) {
    const [own, next] = [rotations[place], rotations[place + 1]];
    if (lostAt > 0) return;
    const isEarly = signedAt + 1000 < own.asked;
    const isLate = next !== undefined && signedAt > next.answered;
    if (isEarly || isLate)
      violation(
        `receiver ${number}: signed with secret ${place + 1} of ${rotations.length}, ${isEarly ? 'before' : 'after'} its time`,
      );
    // Of several hosts that rotated at once one came last.
    if (signedAt <= own.answered) return;
    own.used ??= secret;
    if (own.used !== secret) violation(`receiver ${number}: two secrets are in force`);
  }

  /** False of a delivery that a receiver cannot know to be true. */
  function take(headers, raw) {
    const header = (name) => `${headers[`${PREFIX}-${name}`] ?? ''}`;
    const [timestamp, id] = [header('timestamp'), header('event-id')];
    const sign = (secret) =>
      `v1=${createHmac('sha256', secret).update(`${timestamp}.${id}.`).update(raw).digest('hex')}`;
    const isSigned = (secret) => sign(secret) === header('signature');
    const place = rotations.findIndex(({ secrets }) => secrets.some(isSigned));
    if (place < 0) {
      if (!isRotating) violation(`receiver ${number}: ${id} is signed with no secret that it was told`);
      return false;
    }
    judge(place, rotations[place].secrets.find(isSigned), Number(timestamp) * 1000);
    counts.add(taken.has(id) ? 'deliveries once more' : 'deliveries');
    if (!taken.has(id)) delays.push(Date.now() - JSON.parse(raw).created * 1000);
    taken.set(id, (taken.get(id) ?? 0) + 1);
    return true;
  }

  const server = createServer((request, response) => {
    const pieces = [];
    request.on('error', () => {});
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      if (isFailing) return response.writeHead(503).end();
      response.writeHead(take(request.headers, Buffer.concat(pieces)) ? 204 : 503).end();
    });
  });
  const listen = (port) => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/in`,
    taken,
    delays,
    /** A rotation begins; what it gives is called with the secrets that were told. */
    rotating() {
      const asked = Date.now();
      isRotating = true;
      return (secrets) => {
        rotations.push({ secrets, asked, answered: Date.now() });
        isRotating = false;
        lostAt = 0;
      };
    },
    commitsLost() {
      lostAt = Date.now();
    },
    failing(value) {
      isFailing = value;
    },
    async kill(ms) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await new Promise((resolve) => setTimeout(resolve, ms));
      await listen(port);
    },
  };
}
