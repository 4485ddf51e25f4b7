import type { OpenApi } from './answer-checker.js';

/** An operation of `/openapi.json`, with a request that its examples make. */
export interface DescribedOperation {
  /** Method and template. */
  name: string;
  template: string;
  method: string;
  /** With the example of every parameter. */
  path: string;
  body?: unknown;
  parameters: Parameter[];
  /** Any of them suffices; none: any valid key. */
  scopes: string[];
}

interface Parameter {
  name: string;
  in: 'header' | 'path' | 'query';
  example?: unknown;
}

interface Operation {
  'x-whetstone-scopes': string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
}

export async function describedOperations(baseUrl: string): Promise<DescribedOperation[]> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi;
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { parameters = [], requestBody, ...operation } = described as unknown as Operation;
      const [content] = Object.values(requestBody?.content ?? {});
      const [example] = Object.values(content?.examples ?? {});
      return {
        name: `${method.toUpperCase()} ${template}`,
        template,
        method: method.toUpperCase(),
        path: pathOf(template, parameters),
        parameters,
        scopes: operation['x-whetstone-scopes'],
        ...(example === undefined ? {} : { body: example.value }),
      };
    }),
  );
}

/** The path with these values of its parameters, or the examples. */
export function pathOf(template: string, parameters: Parameter[], values: Record<string, string> = {}): string {
  const textOf = ({ name, example }: Parameter) => values[name] ?? encodeURIComponent(String(example));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    textOf(parameters.find((parameter) => parameter.name === name) as Parameter),
  );
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined);
  return query.length === 0 ? path : `${path}?${query.map((one) => `${one.name}=${textOf(one)}`).join('&')}`;
}
