"""Milvus Lite's own command line, with one option more for its gRPC server: nobody shares its port.

Without it a second server starts on a port that is taken, and clients reach one or the other by chance.
"""

import os
import sys

# What was written last lies in a buffer that is searched row by row in Python: ten times slower than what lies on disk,
# where it would come only after 128 MB.
os.environ.setdefault("MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES", str(1 << 20))
# Threads of the matrix library wait for each other actively, which costs more than they gain where others need the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import grpc
from milvus_lite.cmdline import main

make_server = grpc.server


def make_server_alone(thread_pool, *args, options=(), **named):
    return make_server(thread_pool, *args, options=[*options, ("grpc.so_reuseport", 0)], **named)


grpc.server = make_server_alone
sys.exit(main())
