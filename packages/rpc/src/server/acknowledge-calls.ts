import { Metadata, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

import { type AnyMethod, isRepeatable } from '../rpc-services.js';
import type { OpenCalls } from './open-calls.js';

/**
 * Answers the headers of a call that must not be repeated at once. Its caller sends the message only then: a call that fails
 * earlier has reached no handler, and may be sent again. Until its message is here, it counts as open.
 */
export function acknowledgeCalls(methods: Iterable<AnyMethod>, openCalls: OpenCalls): ServerInterceptor {
  const unrepeatable = new Set([...methods].filter((method) => !isRepeatable(method)).map(({ path }) => path));

  return ({ path }, call) => {
    if (!unrepeatable.has(path)) return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start(next) {
        let arriving: AbortController | undefined;
        const hasArrived = () => void (arriving && openCalls.delete(arriving));
        next({
          onReceiveMetadata(metadata, pass) {
            arriving = openCalls.add({ repeatable: false });
            pass(metadata);
            call.sendMetadata(new Metadata());
          },
          onReceiveHalfClose(pass) {
            // Begins the handler, which opens the call anew.
            pass();
            hasArrived();
          },
          onCancel: hasArrived,
        });
      },
    });
  };
}
