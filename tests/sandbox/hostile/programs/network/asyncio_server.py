# tries: a server with asyncio
# outcome: forbidden, finished
import asyncio


async def serve():
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    print("ESCAPED" if server.sockets else "a server that listens nowhere")


asyncio.run(serve())
