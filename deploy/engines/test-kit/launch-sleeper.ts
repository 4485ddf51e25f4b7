import { launch } from '../processes.js';

/** A program that starts a child, says its process id, and ends, or lives until somebody kills it. */
const [logFile, wait] = process.argv.slice(2) as [string, 'wait' | 'end'];
const child = await launch({ name: 'sleeper', command: 'sleep', args: ['600'], logFile });
console.log(child.pid);
if (wait === 'wait') setInterval(() => {}, 1000);
