/** The reference service as a process of its own: tells its address, and how many connections are open when asked. */
import { createReferenceService } from '../service/server.ts';

const service = await createReferenceService();
// Ten thousand requests need not be remembered.
const forget = setInterval(() => service.requests.splice(0), 1_000);
process.on('message', async () => process.send?.({ connections: await service.connections() }));
process.on('disconnect', async () => {
  clearInterval(forget);
  await service.close();
});
process.send?.({ baseUrl: service.baseUrl });
