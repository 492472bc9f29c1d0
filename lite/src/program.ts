// The program: fetched, decompressed, and kept for the next visit.

import init, { BrotliDecStream, BrotliStreamResultCode } from 'brotli-dec-wasm/web';

/** The cache of the page that keeps the program, decompressed. */
const kept = 'symmom';

/** When it is kept, in milliseconds: the page is built first. */
const later = 5000;

/**
 * Compiles the program at url, which changes its name when it changes, from the page's
 * cache or from the server.
 */
export async function compile(url: string): Promise<WebAssembly.Module> {
  const cache = await cached();
  const found = await cache?.match(url).catch(() => undefined);
  if (found) {
    return WebAssembly.compileStreaming(found);
  }
  const response = await decompressed(url);
  const copy = cache && response.clone();
  const compiled = await WebAssembly.compileStreaming(response);
  if (cache && copy) {
    setTimeout(() => void keep(cache, url, copy), later);
  }
  return compiled;
}

/** The cache, if there is one: pages of http that are not of this computer have none. */
async function cached(): Promise<Cache | undefined> {
  try {
    return await caches.open(kept);
  } catch {
    return undefined;
  }
}

/** Keeps the program, and no other one. Without room for it, the next visit fetches it. */
async function keep(cache: Cache, url: string, program: Response): Promise<void> {
  try {
    await Promise.all((await cache.keys()).map(old => cache.delete(old)));
    await cache.put(url, program);
  } catch (error) {
    console.debug(`the program is not kept: ${error}`);
  }
}

/** The program from the server, which may have decompressed it already. */
async function decompressed(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok || !response.body) {
    throw new Error(`the program could not be loaded: ${response.status} ${response.statusText}`);
  }
  const reader = response.body.getReader();
  const first = await reader.read();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (first.value) {
        controller.enqueue(first.value);
      }
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    }
  });
  const magic = first.value?.subarray(0, 4).join() === '0,97,115,109';
  const stream = magic ? body : body.pipeThrough(await brotli());
  return new Response(stream, { headers: { 'Content-Type': 'application/wasm' } });
}

/** A decompressor: the browser's own, which few have, or one in WebAssembly. */
async function brotli(): Promise<ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>> {
  try {
    return new DecompressionStream('brotli' as CompressionFormat);
  } catch {
    await init();
  }
  const decoder = new BrotliDecStream();
  const most = 1 << 20; // bytes a call
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      for (let more = true; more; ) {
        const result = decoder.dec(chunk, most);
        chunk = chunk.subarray(result.input_offset);
        more = result.code === BrotliStreamResultCode.NeedsMoreOutput;
        if (result.buf.length > 0) {
          controller.enqueue(result.buf as Uint8Array<ArrayBuffer>);
        }
        result.free();
      }
    },
    flush() {
      decoder.free();
    }
  });
}
