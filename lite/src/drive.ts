// The files that the browser keeps, for the worker.

import type { Contents } from '@jupyterlab/services';

import type { DriveRequest, Entry } from './protocol';

/** The last part of a path, and what comes before it. */
function split(path: string): [directory: string, name: string] {
  const i = path.lastIndexOf('/');
  return [path.slice(0, Math.max(i, 0)), path.slice(i + 1)];
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  }
  return btoa(parts.join(''));
}

/** The content of a file. */
function dataOf(model: Contents.IModel): Uint8Array<ArrayBuffer> {
  if (model.format === 'base64') {
    return bytesOf(model.content as string);
  }
  const text = typeof model.content === 'string' ? model.content : JSON.stringify(model.content);
  return new TextEncoder().encode(text);
}

export class Drive {
  constructor(private readonly contents: Contents.IManager) {}

  /** A path without the name of the drive. */
  localPath(path: string): string {
    return this.contents.localPath(path);
  }

  /** Does what the worker asks for; an error is one of Go's names for it. */
  async answer(request: DriveRequest): Promise<{ entry?: Entry; error?: string }> {
    try {
      return { entry: await this.fulfil(request) };
    } catch (e) {
      console.debug('symmom: the drive', request.do, request.path, e);
      return { error: request.do === 'get' ? 'ENOENT' : 'EIO' };
    }
  }

  private async fulfil(request: DriveRequest): Promise<Entry | undefined> {
    switch (request.do) {
      case 'get':
        return this.get(request.path, request.content);
      case 'put': {
        const [, name] = split(request.path);
        let text: string | undefined;
        try {
          text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.data);
        } catch {
          // not a text
        }
        await this.contents.save(request.path, {
          name,
          path: request.path,
          type: 'file',
          format: text === undefined ? 'base64' : 'text',
          content: text ?? base64Of(request.data)
        });
        return undefined;
      }
      case 'mkdir': {
        const [, name] = split(request.path);
        await this.contents.save(request.path, { name, path: request.path, type: 'directory' });
        return undefined;
      }
      case 'remove':
        await this.contents.delete(request.path);
        return undefined;
      case 'rename':
        if (await this.get(request.to, false).catch(() => undefined)) {
          await this.contents.delete(request.to);
        }
        await this.contents.rename(request.path, request.to);
        return undefined;
    }
  }

  private async get(path: string, content: boolean): Promise<Entry> {
    // The directory knows whether there is such a file; asking for one that is not
    // there would be an error of the network in the browser's log.
    if (path !== '') {
      const [directory, name] = split(path);
      const above = await this.contents.get(directory, { content: true });
      const found = (above.content as Contents.IModel[]).find(model => model.name === name);
      if (!found) {
        throw new Error('not there');
      }
      if (found.type !== 'directory' && !content && found.size !== undefined) {
        return { directory: false, size: found.size, modified: Date.parse(found.last_modified) || 0 };
      }
    }
    const model = await this.contents.get(path, { content: true });
    const modified = Date.parse(model.last_modified) || 0;
    if (model.type === 'directory') {
      return { directory: true, size: 0, modified, names: (model.content as Contents.IModel[]).map(m => m.name) };
    }
    const data = dataOf(model);
    return { directory: false, size: data.length, modified, data: content ? data : undefined };
  }
}
