"""Forwards connections from one port of the loopback to another: forward.py FROM TO.

Stopped by SIGSTOP it is a network that drops all packets: what was connected stays so, and nothing comes.
"""
import socket
import sys
import threading


def pour(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client, port):
    try:
        server = socket.create_connection(("127.0.0.1", port))
    except OSError:
        client.close()
        return
    for end in (client, server):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    back = threading.Thread(target=pour, args=(server, client), daemon=True)
    back.start()
    pour(client, server)
    back.join()
    client.close()
    server.close()


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen(200)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0], int(sys.argv[2])), daemon=True).start()
