import { createSocket } from 'node:dgram';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNodeResolve } from '../../src/platform/node-network.ts';

const A = 1;
const AAAA = 28;

/** What a name server knows, by name and type; null for a question that it never answers. */
type Zone = Readonly<Record<string, Readonly<Record<number, readonly Buffer[] | null>>>>;

/** A name server on loopback that knows these names (RFC 1035); gives its address. */
async function nameServer(zone: Zone): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question);
    const records = zone[name]?.[type];
    if (records === null) return;
    const known = Object.hasOwn(zone, name);
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (known ? 0 : 3), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records?.length ?? 0, 6);
    const answers = (records ?? []).map((data) => {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(60, 6);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([head, question.subarray(12, end), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

const V4 = [Buffer.from([93, 184, 215, 14]), Buffer.from([10, 0, 0, 7])];
const V6 = [Buffer.from('fd000000000000000000000000000001', 'hex')];

describe('a name', () => {
  it('is every address that the name server tells, of both kinds', async () => {
    const servers = [await nameServer({ 'hooks.example.com': { [A]: V4, [AAAA]: V6 } })];
    expect(await createNodeResolve({ servers })('hooks.example.com')).toEqual(['93.184.215.14', '10.0.0.7', 'fd00::1']);
  });

  it('that has addresses of one kind only is known', async () => {
    const servers = [await nameServer({ 'hooks.example.com': { [A]: V4.slice(0, 1) } })];
    expect(await createNodeResolve({ servers })('hooks.example.com')).toEqual(['93.184.215.14']);
  });

  it('that nobody knows is no address', async () => {
    const servers = [await nameServer({})];
    expect(await createNodeResolve({ servers })('nowhere.example.com')).toEqual([]);
  });

  it('that a server is silent about is no address, in time', async () => {
    const servers = [await nameServer({ 'slow.example.com': { [A]: null, [AAAA]: null } })];
    expect(await createNodeResolve({ servers, patience: 30 })('slow.example.com')).toEqual([]);
  });
});
