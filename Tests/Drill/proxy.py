"""A TCP proxy that cuts, slows and heals what passes through it, as a network does."""
import asyncio
import threading


class Link:
    """One address that leads to another one."""

    def __init__(self, network, port, target):
        self.network, self.port, self.target = network, port, target
        self.delay = 0.0
        self.open = asyncio.Event()
        self.open.set()

    def cut(self):
        """From now on nothing passes, and nobody is told."""
        self.network.call(self.open.clear)

    def slow(self, seconds):
        self.network.call(lambda: setattr(self, "delay", seconds))

    def heal(self):
        def whole():
            self.delay = 0.0
            self.open.set()
        self.network.call(whole)

    async def serve(self):
        await asyncio.start_server(self.accept, "127.0.0.1", self.port)

    async def accept(self, reader, writer):
        await self.open.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self.pump(reader, far_writer), self.pump(far_reader, writer))

    async def pump(self, reader, writer):
        try:
            while chunk := await reader.read(1 << 16):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self.open.wait()
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass
        finally:
            await self.open.wait()
            writer.close()


class Network:
    """Runs the links in a thread of their own."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="network", daemon=True).start()

    def link(self, port, target):
        link = Link(self, port, target)
        asyncio.run_coroutine_threadsafe(link.serve(), self.loop).result()
        return link

    def call(self, change):
        self.loop.call_soon_threadsafe(change)
