import { launch } from '../child.js';

/** A program that starts a child, says its process id, and lives until somebody kills it. */
const [logFile] = process.argv.slice(2) as [string];
const child = await launch({ name: 'sleeper', command: 'sleep', args: ['600'], logFile });
console.log(child.pid);
setInterval(() => {}, 1000);
