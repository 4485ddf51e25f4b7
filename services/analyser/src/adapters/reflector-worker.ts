import type { Interaction } from '@whetstone/contracts';
import { serveWorker } from '@whetstone/platform/worker';

import { reflect } from '../domain/reflector/reflect.js';

serveWorker({ reflect: (interaction: Interaction) => reflect(interaction) });
