// The file system of the session, with the functions of Node's fs that Go calls: the
// Lite drive below /drive, and memory for the rest, such as /tmp.

import type { DriveRequest, Entry } from './protocol';

type Callback = (error: Error | null, result?: unknown) => void;

/** Asks the page for something of its drive; fails with a name such as ENOENT. */
export type Ask = (request: DriveRequest) => Promise<Entry | undefined>;

export const mount = '/drive';

class Failure extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** A file in memory, or an open one of the drive. */
class Content {
  constructor(
    public data: Uint8Array<ArrayBuffer> = new Uint8Array(0),
    public modified = Date.now()
  ) {
    this.size = data.length;
  }
  size: number;
  changed = false;

  resize(size: number): void {
    if (size > this.data.length) {
      const more = new Uint8Array(Math.max(size, 2 * this.data.length));
      more.set(this.data.subarray(0, this.size));
      this.data = more;
    } else if (size < this.size) {
      this.data.fill(0, size, this.size);
    }
    this.size = size;
    this.touch();
  }

  touch(): void {
    this.changed = true;
    this.modified = Date.now();
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.size);
  }
}

interface Open {
  path: string;
  content?: Content; // undefined for a directory
  append: boolean;
  position: number;
}

const constants = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

function stat(directory: boolean, size: number, modified: number): object {
  return {
    dev: 0, ino: 0, mode: directory ? 0o040755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0,
    size, blksize: 4096, blocks: Math.ceil(size / 512), atimeMs: modified, mtimeMs: modified, ctimeMs: modified,
    isDirectory: () => directory
  };
}

export function resolve(from: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${from}/${path}`).split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '' && part !== '.') {
      parts.push(part);
    }
  }
  return '/' + parts.join('/');
}

export class Files {
  constructor(
    private readonly ask: Ask,
    private readonly print: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void
  ) {}

  directory = '/';
  readonly constants = constants;

  // In memory; undefined is a directory.
  private readonly memory = new Map<string, Content | undefined>([['/', undefined], ['/tmp', undefined], [mount, undefined]]);
  private readonly opened = new Map<number, Open>();
  private next = 3;
  // What stat has read of the drive, for the open that follows it.
  private read: { path: string; entry: Entry; until: number } | undefined;

  /** The path within the drive, or undefined if it is elsewhere. */
  private within(path: string): string | undefined {
    return path === mount ? '' : path.startsWith(mount + '/') ? path.slice(mount.length + 1) : undefined;
  }

  private async entry(path: string): Promise<Entry> {
    const there = this.within(path);
    if (there === undefined) {
      if (!this.memory.has(path)) {
        throw new Failure('ENOENT');
      }
      const content = this.memory.get(path);
      if (content) {
        return { directory: false, size: content.size, modified: content.modified };
      }
      const below = path === '/' ? '/' : path + '/';
      const names = [...this.memory.keys()].filter(p => p !== '/' && p.startsWith(below) && !p.slice(below.length).includes('/'));
      return { directory: true, size: 0, modified: 0, names: names.map(p => p.slice(below.length)) };
    }
    const writing = [...this.opened.values()].find(o => o.path === path && o.content?.changed)?.content;
    if (writing) {
      return { directory: false, size: writing.size, modified: writing.modified, data: writing.bytes() };
    }
    if (this.read && this.read.path === path && Date.now() < this.read.until) {
      return this.read.entry;
    }
    const entry = (await this.ask({ do: 'get', path: there, content: true }))!;
    this.read = { path, entry, until: Date.now() + 1000 };
    return entry;
  }

  private async openFile(name: string, flags: number): Promise<number> {
    const path = resolve(this.directory, name);
    const writes = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
    const found = await this.entry(path).catch(() => undefined);
    if (!found && !(flags & constants.O_CREAT)) {
      throw new Failure('ENOENT');
    }
    if (found && flags & constants.O_EXCL && flags & constants.O_CREAT) {
      throw new Failure('EEXIST');
    }
    const open: Open = { path, append: (flags & constants.O_APPEND) !== 0, position: 0 };
    if (found?.directory) {
      if (writes) {
        throw new Failure('EISDIR');
      }
    } else if (this.within(path) === undefined) {
      if (!found && !this.memory.has(resolve(path, '..'))) {
        throw new Failure('ENOENT');
      }
      open.content = this.memory.get(path) ?? new Content();
      this.memory.set(path, open.content);
    } else {
      open.content = new Content(found?.data, found?.modified);
      open.content.changed = !found;
    }
    if (open.content && writes && flags & constants.O_TRUNC) {
      open.content.resize(0);
    }
    this.opened.set(this.next, open);
    return this.next++;
  }

  private file(fd: number): Open {
    const open = this.opened.get(fd);
    if (!open) {
      throw new Failure('EBADF');
    }
    return open;
  }

  private contentOf(fd: number): Content {
    const { content } = this.file(fd);
    if (!content) {
      throw new Failure('EISDIR');
    }
    return content;
  }

  /** Saves what was written to an open file of the drive. */
  private async save(open: Open): Promise<void> {
    const there = this.within(open.path);
    if (open.content?.changed && there !== undefined) {
      open.content.changed = false;
      this.read = undefined;
      await this.ask({ do: 'put', path: there, data: open.content.bytes() });
    }
  }

  private async removeAt(name: string, directory: boolean): Promise<void> {
    const path = resolve(this.directory, name);
    const entry = await this.entry(path);
    if (entry.directory !== directory) {
      throw new Failure(directory ? 'ENOTDIR' : 'EISDIR');
    }
    if (directory && entry.names!.length > 0) {
      throw new Failure('ENOTEMPTY');
    }
    this.read = undefined;
    const there = this.within(path);
    if (there === undefined) {
      this.memory.delete(path);
    } else {
      await this.ask({ do: 'remove', path: there });
    }
  }

  private async renameFile(from: string, to: string): Promise<void> {
    const [old, path] = [resolve(this.directory, from), resolve(this.directory, to)];
    const [oldThere, there] = [this.within(old), this.within(path)];
    await this.entry(old);
    this.read = undefined;
    for (const open of this.opened.values()) {
      if (open.path === old) {
        await this.save(open);
        open.path = path;
      }
    }
    if (oldThere !== undefined && there !== undefined) {
      await this.ask({ do: 'rename', path: oldThere, to: there });
    } else if (oldThere === undefined && there === undefined) {
      for (const [p, content] of [...this.memory]) {
        if (p === old || p.startsWith(old + '/')) {
          this.memory.delete(p);
          this.memory.set(path + p.slice(old.length), content);
        }
      }
    } else {
      throw new Failure('EXDEV');
    }
  }

  private async makeDirectory(name: string): Promise<void> {
    const path = resolve(this.directory, name);
    if (await this.entry(path).catch(() => undefined)) {
      throw new Failure('EEXIST');
    }
    this.read = undefined;
    const there = this.within(path);
    if (there !== undefined) {
      await this.ask({ do: 'mkdir', path: there });
    } else if (this.memory.has(resolve(path, '..'))) {
      this.memory.set(path, undefined);
    } else {
      throw new Failure('ENOENT');
    }
  }

  private readAt(fd: number, buffer: Uint8Array, offset: number, length: number, position: number | null): number {
    const content = this.contentOf(fd);
    const open = this.file(fd);
    const from = position ?? open.position;
    const n = Math.max(0, Math.min(length, content.size - from));
    buffer.set(content.data.subarray(from, from + n), offset);
    if (position === null) {
      open.position += n;
    }
    return n;
  }

  private writeAt(fd: number, buffer: Uint8Array, offset: number, length: number, position: number | null): number {
    if (fd === 1 || fd === 2) {
      this.print(fd === 1 ? 'stdout' : 'stderr', buffer.slice(offset, offset + length));
      return length;
    }
    const content = this.contentOf(fd);
    const open = this.file(fd);
    const at = open.append ? content.size : position ?? open.position;
    if (at + length > content.size) {
      content.resize(at + length);
    }
    content.data.set(buffer.subarray(offset, offset + length), at);
    content.touch();
    if (position === null) {
      open.position = at + length;
    }
    return length;
  }

  /** Node's functions, with callbacks. */
  functions(): Record<string, unknown> {
    const calling = <A extends unknown[]>(f: (...args: A) => unknown) => (...args: [...A, Callback]) => {
      const done = args.pop() as Callback;
      void (async () => f(...(args as unknown as A)))().then(
        result => done(null, result),
        error => done(Object.assign(new Error(String(error)), { code: error instanceof Failure ? error.code : typeof error === 'string' ? error : 'EIO' }))
      );
    };
    const refuse = calling(() => {
      throw new Failure('ENOSYS');
    });
    const nothing = calling(() => undefined);
    const statOf = async (path: string) => {
      const e = await this.entry(resolve(this.directory, path));
      return stat(e.directory, e.data?.length ?? e.size, e.modified);
    };
    return {
      constants,
      writeSync: (fd: number, buffer: Uint8Array) => this.writeAt(fd, buffer, 0, buffer.length, null),
      open: calling((path: string, flags: number, _mode: number) => this.openFile(path, flags)),
      close: calling(async (fd: number) => {
        const open = this.file(fd);
        this.opened.delete(fd);
        await this.save(open);
      }),
      read: calling((fd: number, b: Uint8Array, offset: number, length: number, at: number | null) => this.readAt(fd, b, offset, length, at)),
      write: calling((fd: number, b: Uint8Array, offset: number, length: number, at: number | null) => this.writeAt(fd, b, offset, length, at)),
      fsync: calling((fd: number) => this.save(this.file(fd))),
      fstat: calling((fd: number) => {
        const { content } = this.file(fd);
        return stat(!content, content?.size ?? 0, content?.modified ?? 0);
      }),
      ftruncate: calling((fd: number, size: number) => this.contentOf(fd).resize(size)),
      truncate: calling(async (path: string, size: number) => {
        const fd = await this.openFile(path, constants.O_RDWR);
        this.contentOf(fd).resize(size);
        const open = this.file(fd);
        this.opened.delete(fd);
        await this.save(open);
      }),
      stat: calling(statOf),
      lstat: calling(statOf),
      readdir: calling(async (path: string) => {
        const e = await this.entry(resolve(this.directory, path));
        if (!e.directory) {
          throw new Failure('ENOTDIR');
        }
        return e.names;
      }),
      mkdir: calling((path: string, _mode: number) => this.makeDirectory(path)),
      rename: calling((from: string, to: string) => this.renameFile(from, to)),
      unlink: calling((path: string) => this.removeAt(path, false)),
      rmdir: calling((path: string) => this.removeAt(path, true)),
      // There are no users, modes and links.
      chmod: nothing, fchmod: nothing, chown: nothing, fchown: nothing, lchown: nothing, utimes: nothing,
      link: refuse, symlink: refuse,
      readlink: calling(() => {
        throw new Failure('EINVAL');
      })
    };
  }
}
