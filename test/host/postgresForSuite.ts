/**
 * A PostgreSQL for a suite in VS Code, which is a bundle and cannot start one itself: says its address and password in one line, and
 * ends with its input.
 */
import { once } from 'node:events';
import { startDebianPostgres, testPassword } from '../contract/postgresServers.ts';

const server = await startDebianPostgres();
process.stdout.write(`${JSON.stringify({ address: server.address, port: server.port, password: testPassword })}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await server.stop();
