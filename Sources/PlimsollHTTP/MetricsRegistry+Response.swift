package import Hummingbird
import NIOCore

extension MetricsRegistry {
    /// Everything, as Prometheus fetches it; it differs every time, so it has no entity tag.
    package var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: exposition))
        )
    }
}
