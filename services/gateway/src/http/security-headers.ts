import type { IncomingMessage, ServerResponse } from 'node:http';

import helmet from 'helmet';

type HelmetOptions = Parameters<typeof helmet>[0];

/** For answers that no browser is to show: nothing may be loaded, framed, stored or guessed from them. */
export const apiHeaders: readonly string[] = [
  ...headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // These steer browsers that show a page or save a file; JSON is neither.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
  'Cache-Control',
  'no-store',
];

/** For the documentation: everything comes from this process, and the page may call its operations. */
export const pageHeaders: readonly string[] = headersOf({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      fontSrc: ["'self'", 'data:'],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      imgSrc: ["'self'", 'data:'],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
    },
  },
});

/** Names and values in turn. They are the same for every answer, so helmet is asked once and not each time. */
function headersOf(options: HelmetOptions): string[] {
  const headers: string[] = [];
  const recorder = { setHeader: (name: string, value: string) => headers.push(name, value), removeHeader() {} };
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return headers;
}
