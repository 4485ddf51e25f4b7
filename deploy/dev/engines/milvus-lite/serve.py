"""Milvus Lite's own command line, with one option more for its gRPC server: nobody shares its port.

Without it a second server starts on a port that is taken, and clients reach one or the other by chance.
"""

import sys

import grpc
from milvus_lite.cmdline import main

make_server = grpc.server


def make_server_alone(thread_pool, *args, options=(), **named):
    return make_server(thread_pool, *args, options=[*options, ("grpc.so_reuseport", 0)], **named)


grpc.server = make_server_alone
sys.exit(main())
