// compress.mjs FILE DIRECTORY QUALITY writes FILE.br.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const [file, directory, quality] = process.argv.slice(2);
const data = readFileSync(file);
const params = {
  [constants.BROTLI_PARAM_QUALITY]: Number(quality),
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: data.length
};
writeFileSync(join(directory, basename(file) + '.br'), brotliCompressSync(data, { params }));
