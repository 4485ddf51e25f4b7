/** The parts of WebAssembly used here; TypeScript otherwise declares them only with the DOM types. */
declare namespace WebAssembly {
  interface MemoryDescriptor {
    initial: number;
    maximum?: number;
  }

  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(descriptor: MemoryDescriptor);
    grow(pages: number): number;
  }

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
  }

  function validate(bytes: Uint8Array): boolean;
}
