# SPDX-License-Identifier: MIT
"""Serves the current folder at 127.0.0.1:8017, and at localhost:8018 with the certificate and the key of `tls.pem`."""

import functools
import http.server
import ssl
import threading

handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=".")
plain = http.server.ThreadingHTTPServer(("127.0.0.1", 8017), handler)
encrypted = http.server.ThreadingHTTPServer(("127.0.0.1", 8018), handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("tls.pem")
encrypted.socket = context.wrap_socket(encrypted.socket, server_side=True)
threading.Thread(target=plain.serve_forever, daemon=True).start()
encrypted.serve_forever()
