# SPDX-License-Identifier: MIT
"""Serves the current folder on this machine, by HTTP and with the certificate and the key of `tls.pem` by HTTPS.

The file `ports` then has the ports, as assignments of a shell.
"""

import functools
import http.server
import os
import ssl
import threading

handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=".")
plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
encrypted = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("tls.pem")
encrypted.socket = context.wrap_socket(encrypted.socket, server_side=True)
threading.Thread(target=plain.serve_forever, daemon=True).start()
with open("ports.part", "w") as ports:
    ports.write(f"HTTP={plain.server_port}\nHTTPS={encrypted.server_port}\n")
os.rename("ports.part", "ports")
encrypted.serve_forever()
