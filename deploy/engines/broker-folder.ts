import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ReservedPort, reservePort, reserveSamePort } from './reserve-port.js';

/** What a broker has to find again when it comes back in its folder. */
export interface BrokerFolder {
  dataFolder: string;
  logFile: string;
  propertiesFile: string;
  certificatesFolder: string;
  clusterId: string;
  password: string;
  /** The controller's, the plain listener's, then those of further listeners. */
  ports: ReservedPort[];
}

interface Remembered {
  clusterId: string;
  password: string;
  ports: number[];
}

export async function openBrokerFolder(folder: string, portCount: number): Promise<BrokerFolder> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'broker.json');
  const before = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Remembered,
    () => undefined,
  );
  const ports: ReservedPort[] = [];
  for (let index = 0; index < portCount; index++) {
    const same = before?.ports[index];
    ports.push(await (same === undefined ? reservePort() : reserveSamePort(same)));
  }
  const remembered: Remembered = {
    clusterId: before?.clusterId ?? randomBytes(16).toString('base64url'),
    password: before?.password ?? randomBytes(12).toString('hex'),
    ports: ports.map(({ port }) => port),
  };
  await writeFile(file, JSON.stringify(remembered), { mode: 0o600 });
  return {
    dataFolder: join(folder, 'data'),
    logFile: join(folder, 'kafka.log'),
    propertiesFile: join(folder, 'server.properties'),
    certificatesFolder: join(folder, 'certificates'),
    clusterId: remembered.clusterId,
    password: remembered.password,
    ports,
  };
}
