// What a delivery costs that is verified, told from those that are known, committed, synced to the disk and acknowledged, beside bare
// node:http that checks the signature and syncs the bodies that came together. Both are sent as much as they take, each delivery another event.
import { createHmac } from 'node:crypto';
import { send } from './serve-load.mjs';
import { startBeside, startProgram, stop } from './serve-programs.mjs';
import { environment, withHome } from './start-support.mjs';
import { inTurn } from './support.mjs';

const SECRET = 'whsec_bench';
const ROUNDS = 9;
/** Until both run compiled: what is compared is a receiver that has been up for a while. */
const WARM_UPS = 4;
const MS = 500;
/** More than are sent in a round. */
const ENOUGH = 60_000;

export default {
  name: 'webhooks: a delivery verified, committed and synced vs bare node:http with the HMAC and one fsync a batch',
  goal: 2.86,
  run: () => withHome(compare),
};

async function compare(home) {
  const env = { ...environment(home), MACRO_WEBHOOK_SECRET: SECRET, MACRO_BASE_URL: 'http://127.0.0.1:9' };
  const ours = await startProgram(['webhooks', 'listen'], env);
  const bare = await startBeside('webhooks-bare.mjs', { secret: SECRET });
  try {
    const compared = await inTurn({
      ours: () => costOf(ours, deliveries()),
      theirs: () => costOf(bare, deliveries()),
      ...{ rounds: ROUNDS, warmUps: WARM_UPS },
    });
    const { ours: own, theirs, ratio } = compared;
    const told = `${own.toFixed(0)} against ${theirs.toFixed(0)} microseconds of the processor's time`;
    return { ...compared, detail: `${told} (${(1 / ratio).toFixed(2)} of bare)` };
  } finally {
    await Promise.all([stop(ours), stop(bare)]);
  }
}

/** Microseconds of the processor's time for each delivery that was acknowledged. */
async function costOf(server, requests) {
  const before = await server.takes();
  const answered = await send({ port: server.port, requests, status: 204, ms: MS });
  if (answered > ENOUGH) throw new Error('deliveries came twice');
  const after = await server.takes();
  return ((after.ms - before.ms) * 1_000) / answered;
}

const INDICATORS = ['inflation', 'gdp', 'unemployment', 'retail_sales', 'policy_rate', 'trade_balance'];
let released = 1_791_981_000;

/** Each of another release. */
function deliveries() {
  const timestamp = Math.floor(Date.now() / 1000);
  return Array.from({ length: ENOUGH }, () => {
    released += 1;
    return deliveryOf(INDICATORS[released % INDICATORS.length], { release: released, timestamp });
  });
}

function deliveryOf(indicator, { release, timestamp }) {
  const id = `usd_${indicator}_${release}`;
  const latest = { date: '2026-09-30', val: 3.2, announcement_datetime: '2026-10-14T12:30:00Z' };
  const data = {
    event_id: id,
    currency: 'usd',
    indicator,
    records_written: 1,
    latest_announcement: latest,
  };
  const delivery = {
    id,
    event: 'announcement',
    created: timestamp,
    subscription_id: 'sub_1',
    delivery_id: `sub_1_${id}`,
  };
  const body = JSON.stringify({ ...delivery, data });
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${id}.`).update(body).digest('hex');
  return Buffer.from(
    [
      'POST /webhook HTTP/1.1',
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-SVC-Event: announcement',
      `X-SVC-Event-ID: ${id}`,
      `X-SVC-Delivery-ID: sub_1_${id}`,
      `X-SVC-Timestamp: ${timestamp}`,
      `X-SVC-Signature: v1=${signature}`,
      '',
      body,
    ].join('\r\n'),
  );
}
