// Server-sent events of a response, one by one. `EventSource` sends no header, and a key never stands in an address.

export interface EventFrame {
  readonly event: string;
  readonly data: string;
}

/** Yields each event until the stream ends. */
export async function* readEventFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<EventFrame> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (text + value).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const read = frameOf(frame);
      if (read.data !== '') yield read;
    }
  }
}

function frameOf(frame: string): EventFrame {
  const valuesOf = (name: string) =>
    frame.split('\n').flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
  return { event: valuesOf('event')[0] ?? 'message', data: valuesOf('data').join('\n') };
}
