import { parseArgs } from 'node:util';
import { DEFAULT_KEY } from './auth.ts';
import { createReferenceService } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    key: { type: 'string' },
    delay: { type: 'string' },
    'no-key': { type: 'boolean' },
  },
});
const service = await createReferenceService({
  port: Number(values.port ?? 0),
  key: values['no-key'] ? null : (values.key ?? DEFAULT_KEY),
  tokenDelayMs: Number(values.delay ?? 12),
});
console.log(service.baseUrl);
