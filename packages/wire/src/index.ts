export { createWire, type UnaryMethod, type Wire } from './wire.js';
