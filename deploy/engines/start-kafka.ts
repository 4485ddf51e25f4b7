import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeCertificates } from './certificates.js';
import { type Engine, type EngineOptions, startEngine } from './engine.js';
import { type FetchOptions, fetchOnce } from './fetch-once.js';
import { kafkaJars } from './kafka-jars.js';
import {
  keystoreFile,
  keystoreOf,
  type Listener,
  type SecuredKafka,
  scramArguments,
  securedListenerCount,
  securedListeners,
  serverProperties,
} from './kafka-settings.js';
import { findJava } from './prerequisites.js';
import { lastLines, runProgram } from './processes.js';
import { type ReservedPort, reservePort, reserveSamePort } from './reserve-port.js';

export interface KafkaOptions extends FetchOptions, Pick<EngineOptions, 'onUnexpectedEnd'> {
  /** Holds data, settings and `kafka.log`. Starting in the same folder again brings the same broker back, on the same ports. */
  folder: string;
  /** Address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** Also listens with TLS and SASL; needs openssl. */
  secured?: boolean;
  /** Override server.properties. */
  settings?: Record<string, string>;
}

export interface Kafka extends Engine {
  /** Without TLS or credentials. */
  readonly brokers: string[];
  /** Only if asked for. */
  readonly secured: SecuredKafka | undefined;
}

const username = 'whetstone';

/** For little data: a small heap and quick compilation. */
const javaOptions = ['-Xms64m', '-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** One real broker, fetched on first use. Resolves when it accepts requests. */
export async function startKafka(kafkaOptions: KafkaOptions): Promise<Kafka> {
  const { folder, host = '127.0.0.1', secured = false, settings = {}, ...options } = kafkaOptions;
  const java = await findJava();
  if (!java) throw new Error('Kafka needs Java 17 or newer');
  const classPath = join(await fetchOnce(await kafkaJars(), options), '*');
  const own = await openBrokerFolder(folder, secured ? 2 + securedListenerCount : 2);
  try {
    const [controllerPort, plainPort, ...further] = own.ports.map(({ port }) => port) as [number, number, ...number[]];
    const listeners: Listener[] = [{ name: 'PLAIN', protocol: 'PLAINTEXT', port: plainPort }];
    const credentials = secured ? await secure(own, host, further) : undefined;
    if (credentials) listeners.push(...securedListeners(own.certificatesFolder, further, credentials));
    const properties = serverProperties({ dataFolder: own.dataFolder, host, controllerPort, listeners, settings });
    await writeFile(own.propertiesFile, properties, { mode: 0o600 });
    await format(java.command, classPath, own, credentials ? scramArguments(credentials) : []);
    const engine = await startEngine({
      launch: {
        name: 'Kafka',
        command: java.command,
        args: [...javaOptions, '-cp', classPath, 'kafka.Kafka', own.propertiesFile],
        cwd: folder,
        logFile: own.logFile,
      },
      readiness: { isReady: (child) => child.printed().includes('Kafka Server started'), withinMs: 120_000 },
      stopSignal: 'SIGTERM',
      stopWithinMs: 30_000,
      ports: own.ports,
      onUnexpectedEnd: options.onUnexpectedEnd,
    });
    return Object.assign(engine, { brokers: [`${host}:${plainPort}`], secured: credentials });
  } catch (error) {
    for (const port of own.ports) port.release();
    throw error;
  }
}

async function secure(
  { certificatesFolder, password }: BrokerFolder,
  host: string,
  ports: number[],
): Promise<SecuredKafka> {
  const certificates = await makeCertificates(certificatesFolder);
  await writeFile(join(certificatesFolder, keystoreFile), keystoreOf(certificates), { mode: 0o600 });
  const [tls, mutualTls, sasl, saslTls] = ports.map((port) => [`${host}:${port}`]) as [
    string[],
    string[],
    string[],
    string[],
  ];
  return { tls, mutualTls, sasl, saslTls, certificates, username, password };
}

/** Once per folder: a broker refuses an unformatted one. */
async function format(java: string, classPath: string, own: BrokerFolder, scram: string[]): Promise<void> {
  const formatted = await access(join(own.dataFolder, 'meta.properties')).then(
    () => true,
    () => false,
  );
  if (formatted) return;
  const tool = ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '--standalone'];
  // One argument with its option: an id may start with a dash.
  const id = [`--cluster-id=${own.clusterId}`];
  const { ok, output } = await runProgram(java, [...tool, ...id, '-c', own.propertiesFile, ...scram]);
  if (!ok) throw new Error(`Kafka could not format its data folder:\n${lastLines(output)}`);
}

/** What a broker must find again when it restarts in its folder. */
export interface BrokerFolder {
  dataFolder: string;
  logFile: string;
  propertiesFile: string;
  certificatesFolder: string;
  clusterId: string;
  password: string;
  /** Controller, plain listener, then the secured listeners. */
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
