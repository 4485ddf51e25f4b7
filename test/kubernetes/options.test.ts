import { readOptions } from './options.js';

describe('what the test on Kubernetes is told', () => {
  it('has Kafka and Milvus that pods reach, or where they reach this machine', () => {
    expect(() => readOptions([])).toThrow(/--kafka and --milvus.*--engines-host/);
    expect(() => readOptions(['--kafka', 'a:1'])).toThrow('--milvus');
    expect(readOptions(['--engines-host', '10.0.0.1'])).toMatchObject({
      kafka: [],
      milvus: '',
      enginesHost: '10.0.0.1',
    });
    expect(readOptions(['--kafka', 'a:1,b:2', '--milvus', 'c:3'])).toMatchObject({
      kafka: ['a:1', 'b:2'],
      milvus: 'c:3',
    });
  });

  it('requests the CPU of the chart unless told otherwise', () => {
    expect(readOptions(['--engines-host', 'h']).cpu).toBe('');
    expect(readOptions(['--engines-host', 'h', '--cpu', '50m']).cpu).toBe('50m');
  });

  it('may leave out parts that there are', () => {
    expect(readOptions(['--engines-host', 'h', '--skip', 'kills', '--skip', 'test']).skip).toEqual(['kills', 'test']);
    expect(() => readOptions(['--engines-host', 'h', '--skip', 'install'])).toThrow('not install');
  });

  it('has no option that it does not know', () => {
    expect(() => readOptions(['--engines-host', 'h', '--registri', 'r'])).toThrow('--registri');
  });
});
