// What the page and the worker tell each other.

/** A file or directory of the Lite drive. */
export interface Entry {
  directory: boolean;
  size: number;
  modified: number; // milliseconds
  data?: Uint8Array<ArrayBuffer>; // of a file, if requested
  names?: string[]; // in a directory, if requested
}

/** A request of the worker for the Lite drive. Paths are relative to its root. */
export type DriveRequest =
  | { do: 'get'; path: string; content: boolean }
  | { do: 'put'; path: string; data: Uint8Array<ArrayBuffer> }
  | { do: 'mkdir'; path: string }
  | { do: 'remove'; path: string }
  | { do: 'rename'; path: string; to: string };

/** A message of a kernel: JSON for its parts. */
export interface Packet {
  channel: string;
  header: string;
  parent: string;
  metadata: string;
  content: string;
}

/** Where the compressed program is. */
export interface Urls {
  brotli: string;
  gzip: string;
}

export type ToWorker =
  | { type: 'load'; program: Urls | WebAssembly.Module }
  | { type: 'start'; directory: string }
  | { type: 'message'; packet: Packet }
  | { type: 'interrupt'; number: number }
  | { type: 'drive'; id: number; entry?: Entry; error?: string };

export type FromWorker =
  | { type: 'message'; packet: Packet }
  | { type: 'loaded'; program: WebAssembly.Module }
  | { type: 'ready' }
  | { type: 'interrupted'; number: number }
  | { type: 'ended'; why: string }
  | { type: 'drive'; id: number; request: DriveRequest };
