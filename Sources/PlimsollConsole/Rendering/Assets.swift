import Crypto
import HTTPTypes
import Hummingbird
import NIOCore

/// A file that pages load.
///
/// Its name changes with its content, so browsers keep it for good.
struct Asset: Sendable {
    let name: String
    private let bytes: [UInt8]
    private let mediaType: String

    private init(_ stem: String, _ ending: String, _ mediaType: String, _ bytes: [UInt8]) {
        let digest = SHA256.hash(data: bytes).prefix(6).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        name = "\(stem).\(digest.joined()).\(ending)"
        (self.bytes, self.mediaType) = (bytes, mediaType)
    }

    static let style = Asset("console", "css", "text/css", PackageResources.console_css)
    static let script = Asset("console", "js", "text/javascript", PackageResources.console_js)
    static let icon = Asset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)
    static let verifier = Asset("verifier", "js", "text/javascript", PackageResources.verifier_js)

    static let all = [style, script, icon, verifier]

    var path: String { "/assets/\(name)" }

    var response: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "\(mediaType); charset=utf-8",
                .cacheControl: "public, max-age=31536000, immutable",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
