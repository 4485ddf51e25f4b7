import type { Command } from 'commander';

import type { CliIo } from '../io.js';

export function addKnowledgeCommands(_program: Command, _io: CliIo): void {}
