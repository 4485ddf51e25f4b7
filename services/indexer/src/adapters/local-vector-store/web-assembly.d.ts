/** What is used of WebAssembly; its types otherwise come with those of a browser only. */
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
