/**
 * Run as a process of its own: uploads a small recording to warm up, then the one under test, and prints by how many
 * bytes the process's peak memory grew. `node audioUpload.ts <base URL> <small file> <large file>`
 */
import { translateAudio } from '../../src/service/audio/audio.ts';
import { createTestTransport } from './client.ts';

const [baseUrl = '', small = '', large = ''] = process.argv.slice(2);
const transport = createTestTransport();
const peak = (): number => process.resourceUsage().maxRSS * 1024;

async function upload(path: string): Promise<void> {
  await translateAudio(
    transport,
    { baseUrl, model: 'parley-whisper' },
    { path, contentType: 'audio/wav', fileField: 'file', prompt: '', responseFormat: 'json', temperature: 0 },
    new AbortController().signal,
  );
}

await upload(small);
const before = peak();
await upload(large);
console.log(peak() - before);
await transport.close();
