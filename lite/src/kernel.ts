// The kernel as JupyterLite sees it: it passes messages on to a worker, in which the
// session answers them, and starts the worker again if it dies or does not stop.

import type { Contents, KernelMessage } from '@jupyterlab/services';
import type { IKernel } from '@jupyterlite/services';
import { ISignal, Signal } from '@lumino/signaling';

import { Drive } from './drive';
import type { FromWorker, Packet, ToWorker } from './protocol';

/** How long the worker may take to hear of an interrupt, in milliseconds. */
const patience = 3000;

/** Outputs of a message that was not answered, from its worker's end. */
type Answer = [channel: 'shell' | 'iopub', type: string, content: object];

function newWorker(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

function load(worker: Worker, program?: WebAssembly.Module): Worker {
  const message: ToWorker = {
    type: 'load',
    program: program ?? {
      brotli: new URL('../wasm/symmom.wasm.br', import.meta.url).href,
      gzip: new URL('../wasm/symmom.wasm.gz', import.meta.url).href
    }
  };
  worker.postMessage(message);
  return worker;
}

export class SymmomKernel implements IKernel {
  /** Loads the program for the first kernel, while the page is built. */
  static prepare(): void {
    const worker = load(newWorker());
    worker.addEventListener('message', event => {
      const said = event.data as FromWorker;
      if (said.type === 'loaded') {
        SymmomKernel.program = said.program;
      }
    });
    SymmomKernel.first = worker;
  }
  private static first: Worker | undefined;
  private static program: WebAssembly.Module | undefined; // for the workers that follow

  private static takeWorker(): Worker {
    const worker = SymmomKernel.first ?? load(newWorker(), SymmomKernel.program);
    SymmomKernel.first = undefined;
    return worker;
  }

  constructor(options: IKernel.IOptions, contents: Contents.IManager) {
    this.id = options.id;
    this.name = options.name;
    this.location = options.location;
    this.send = options.sendMessage;
    this.drive = new Drive(contents);
    this.ready = this.start();
  }

  readonly id: string;
  readonly name: string;
  readonly location: string;
  ready: Promise<void>;
  isDisposed = false;

  get disposed(): ISignal<this, void> {
    return this.disposing;
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.worker?.terminate();
      this.disposing.emit();
    }
  }

  /** Passes a message on. It returns at once: the session has a queue of its own. */
  async handleMessage(msg: KernelMessage.IMessage): Promise<void> {
    if (msg.channel === 'shell') {
      this.waiting.set(msg.header.msg_id, msg);
    }
    this.tell({
      type: 'message',
      packet: { channel: msg.channel, header: JSON.stringify(msg.header), parent: '{}', metadata: '{}', content: JSON.stringify(msg.content) }
    });
  }

  /** Stops the running cell. If the worker does not hear of it, it is replaced. */
  interrupt(): void {
    const number = ++this.interrupts;
    const worker = this.worker;
    this.tell({ type: 'interrupt', number });
    setTimeout(() => {
      if (worker === this.worker && this.heard < number && !this.isDisposed) {
        this.replace('the cell computed something that cannot be stopped');
      }
    }, patience);
  }

  private tell(message: ToWorker): void {
    this.worker?.postMessage(message);
  }

  private start(): Promise<void> {
    const worker = SymmomKernel.takeWorker();
    this.worker = worker;
    return new Promise(resolve => {
      worker.onmessage = event => {
        const said = event.data as FromWorker;
        switch (said.type) {
          case 'ready':
            this.failures = 0;
            resolve();
            break;
          case 'message':
            this.pass(said.packet);
            break;
          case 'interrupted':
            this.heard = Math.max(this.heard, said.number);
            break;
          case 'drive':
            void this.drive.answer(said.request).then(answer => worker.postMessage({ type: 'drive', id: said.id, ...answer }));
            break;
          case 'ended':
            if (worker === this.worker) {
              resolve();
              this.replace(said.why);
            }
            break;
        }
      };
      worker.onerror = event => {
        if (worker === this.worker) {
          resolve();
          this.replace(event.message || 'the worker could not be started');
        }
      };
      this.tell({ type: 'start', directory: this.drive.localPath(this.location) });
    });
  }

  /** Passes on what the session says. Clients are known by their session. */
  private pass(packet: Packet): void {
    const header = JSON.parse(packet.header) as KernelMessage.IHeader;
    const parent = JSON.parse(packet.parent) as KernelMessage.IHeader;
    const content = JSON.parse(packet.content);
    if (parent.session) {
      header.session = parent.session;
    }
    if (header.msg_type === 'status' && content.execution_state === 'idle' && parent.msg_id) {
      this.waiting.delete(parent.msg_id);
    }
    this.send({ channel: packet.channel, header, parent_header: parent, metadata: JSON.parse(packet.metadata), content, buffers: [] } as unknown as KernelMessage.IMessage);
  }

  /** Starts another worker, and answers in place of the old one. */
  private replace(why: string): void {
    this.worker?.terminate();
    const unanswered = [...this.waiting.values()];
    this.waiting.clear();
    if (this.failures++ < 3) {
      this.ready = this.start();
    }
    const text = `${why}, so the session was started again; its variables are gone`;
    for (const msg of unanswered) {
      const answers: Answer[] = [['iopub', 'status', { execution_state: 'idle' }]];
      if (msg.header.msg_type === 'execute_request') {
        const error = { ename: 'restarted', evalue: text, traceback: [`\u001b[31m${text}\u001b[0m`] };
        answers.unshift(['iopub', 'error', error], ['shell', 'execute_reply', { status: 'error', execution_count: 0, ...error }]);
      }
      for (const [channel, type, content] of answers) {
        this.pass({
          channel,
          header: JSON.stringify({
            msg_id: crypto.randomUUID(),
            msg_type: type,
            session: msg.header.session,
            username: 'kernel',
            date: new Date().toISOString(),
            version: '5.4'
          }),
          parent: JSON.stringify(msg.header),
          metadata: '{}',
          content: JSON.stringify(content)
        });
      }
    }
  }

  private worker: Worker | undefined;
  private readonly send: IKernel.SendMessage;
  private readonly drive: Drive;
  private readonly disposing = new Signal<this, void>(this);
  private readonly waiting = new Map<string, KernelMessage.IMessage>(); // until they are answered
  private interrupts = 0;
  private heard = 0; // the last interrupt that the worker has heard of
  private failures = 0; // of workers in a row that did not get ready
}
