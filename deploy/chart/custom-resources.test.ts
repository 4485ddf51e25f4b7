import { type CustomResourceSchema, schemasOfCustomResources } from './custom-resources.js';

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.org
  names: {kind: WidgetPlan}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              properties:
                port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                note: {type: string, nullable: true}
                labels: {type: object, additionalProperties: {type: string}}
                anything: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
                operator: {type: string, enum: [=, '!=']}
    - name: v2
`;

describe('the schemas of custom resources', () => {
  const schemas = schemasOfCustomResources(`kind: Namespace\n---\n${definition}\n---\n`);
  const [first] = schemas as [CustomResourceSchema];
  const { properties } = first.schema as { properties: Record<string, Record<string, unknown>> };
  const spec = properties['spec'] as { additionalProperties: unknown; properties: Record<string, unknown> };

  it('are one for each version that has any, named as kubeconform looks for them', () => {
    expect(schemas.map(({ group, name }) => `${group}/${name}`)).toEqual(['example.org/widgetplan_v1']);
  });

  it('refuse fields that are not defined, unless anything may be there', () => {
    expect(spec.additionalProperties).toBe(false);
    expect(spec.properties['labels']).toMatchObject({ additionalProperties: { type: 'string' } });
    expect(spec.properties['anything']).not.toHaveProperty('additionalProperties');
  });

  it('take numbers or texts, and null, where the definition does', () => {
    expect(spec.properties['port']).toMatchObject({ type: ['integer', 'string'] });
    expect(spec.properties['note']).toMatchObject({ type: ['string', 'null'] });
  });

  it('read the definition as Kubernetes does', () => {
    expect(spec.properties['operator']).toMatchObject({ enum: ['=', '!='] });
  });

  it('leave metadata, kind and version to the server', () => {
    expect(Object.keys(properties)).toEqual(['spec', 'apiVersion', 'kind', 'metadata']);
  });
});
