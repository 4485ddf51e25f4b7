/** What the embedding thread is started with. */
export interface EmbeddingModelOptions {
  /** Folder with `model-int8.onnx` and `tokenizer.json`. */
  modelFolder: string;
  /** Of one inference; more than one helps a single long text and costs everybody else. */
  threads: number;
}
