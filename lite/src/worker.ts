// The worker: it loads the program, gives it a file system, and passes messages
// between it and the page.

import '../wasm/wasm_exec.js';

import { Files, mount, resolve } from './files';
import { compile } from './program';
import type { DriveRequest, Entry, FromWorker, Packet, ToWorker } from './protocol';

/** What wasm_exec.js defines, and what the program of lite/wasm gives. */
declare class Go {
  argv: string[];
  env: Record<string, string>;
  exit: (code: number) => void;
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
interface Program {
  receive(channel: string, header: string, content: string): void;
  interrupt(): void;
  print(stream: string, bytes: Uint8Array): void;
}
const scope = globalThis as unknown as Record<string, unknown> & { symmomKernel?: Program };

let heard = false; // a kernel of the page listens
const unsaid: FromWorker[] = []; // until then

function say(message: FromWorker): void {
  if (heard) {
    (postMessage as (message: FromWorker) => void)(message);
  } else {
    unsaid.push(message);
  }
}

const asked = new Map<number, { resolve: (entry?: Entry) => void; reject: (code: string) => void }>();
let questions = 0;

function ask(request: DriveRequest): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    asked.set(++questions, { resolve, reject });
    say({ type: 'drive', id: questions, request });
  });
}

let words = ''; // the last of stderr, which says why a program has died

const files = new Files(ask, (stream, bytes) => {
  if (stream === 'stderr') {
    const text = new TextDecoder().decode(bytes);
    words = (words + text).slice(-4000);
    console.debug(text.trimEnd());
  } else {
    setTimeout(() => scope.symmomKernel?.print(stream, bytes), 0);
  }
});

/** Loads the program, and gives it to the page for other workers. */
async function load(program: string | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (program instanceof WebAssembly.Module) {
    return program;
  }
  const compiled = await compile(program);
  say({ type: 'loaded', program: compiled });
  return compiled;
}

let running: Promise<void> | undefined; // resolved once the program takes messages
const early: Packet[] = []; // until then

function receive(packet: Packet): void {
  if (scope.symmomKernel) {
    scope.symmomKernel.receive(packet.channel, packet.header, packet.content);
  } else {
    early.push(packet);
  }
}

/** Runs the program, before the page wants a kernel: only the folder is known later. */
async function run(program: string | WebAssembly.Module): Promise<void> {
  const module = await load(program);
  files.directory = mount;
  scope.fs = files.functions();
  scope.path = { resolve: (...parts: string[]) => parts.reduce((from, part) => resolve(from, part), files.directory) };
  scope.process = {
    pid: 1, ppid: 1,
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [0],
    umask: () => 0o022,
    cwd: () => files.directory,
    chdir: (path: string) => {
      files.directory = resolve(files.directory, path);
    }
  };
  // Before the program takes messages, it gives way to the page: its first cell is long.
  const ready = new Promise<void>(resolve => {
    scope.symmomHost = {
      send(channel: string, header: string, parent: string, metadata: string, content: string) {
        say({ type: 'message', packet: { channel, header, parent, metadata, content } });
      },
      ready: resolve
    };
  });
  const go = new Go();
  go.argv = ['symmom'];
  go.env = { HOME: mount, TMPDIR: '/tmp' }; // not PWD, which the folder of the notebook changes
  const instance = await WebAssembly.instantiate(module, go.importObject);
  go.run(instance).then(() => say({ type: 'ended', why: reason() }), ended);
  await ready;
}

/** Gives the program to a kernel of the page. */
async function start(directory: string): Promise<void> {
  heard = true;
  files.directory = resolve(mount, directory);
  for (const message of unsaid.splice(0)) {
    say(message);
  }
  await running;
  say({ type: 'ready' });
  for (const packet of early.splice(0)) {
    receive(packet);
  }
}

/** Why the program has ended, in words for a person. */
function reason(): string {
  const fatal = /^(?:fatal error|panic): (.*)$/m.exec(words);
  return fatal ? `the session died: ${fatal[1]}` : 'the session ended';
}

function ended(error: unknown): void {
  const deep = error instanceof RangeError;
  say({ type: 'ended', why: deep ? 'the session died: calls were nested too deeply for the browser' : `the session died: ${error}` });
}

onmessage = event => {
  const message = event.data as ToWorker;
  switch (message.type) {
    case 'load':
      running = run(message.program);
      running.catch(() => undefined); // start reports it
      break;
    case 'start':
      start(message.directory).catch(ended);
      break;
    case 'message':
      receive(message.packet);
      break;
    case 'interrupt':
      scope.symmomKernel?.interrupt();
      say({ type: 'interrupted', number: message.number });
      break;
    case 'drive': {
      const question = asked.get(message.id);
      asked.delete(message.id);
      if (message.error) {
        question?.reject(message.error);
      } else {
        question?.resolve(message.entry);
      }
    }
  }
};
onerror = event => ended((event as unknown as ErrorEvent).error ?? event);
