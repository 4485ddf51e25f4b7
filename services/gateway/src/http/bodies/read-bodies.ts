import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { callerOf } from '../exchange.js';
import type { BytesInFlight } from './bytes-in-flight.js';
import { type ReceiveLimits, receiveBody } from './receive-body.js';
import { unpackBody } from './unpack-body.js';

/** Receives and unpacks bodies, or throws Refusals. */
export type ReadBody = (req: IncomingMessage, res: Response) => Promise<Buffer>;

interface ReadBodiesOptions extends ReceiveLimits {
  inFlight: BytesInFlight;
}

export function createReadBody({ inFlight, ...limits }: ReadBodiesOptions): ReadBody {
  return async (req, res) => {
    const holding = inFlight.open(callerOf(res).account);
    res.once('close', holding.release);
    return unpackBody(await receiveBody(req, res, holding, limits), limits.maxBytes);
  };
}
