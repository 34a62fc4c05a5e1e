import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension Transport {
    /// Hands over the lines of an answer as they come, for as long as they come.
    ///
    /// An answer that is no success is returned whole instead.
    package func lines(
        of request: WebRequest,
        _ take: (String) async throws(AdminError) -> Void
    ) async throws(AdminError) -> WebAnswer? {
        let response = try await open(request)
        guard response.status == .ok else { return try await whole(response, of: request) }
        var lines = LineReader(sizeMaximum: bytesMaximum)
        do {
            for try await part in response.body {
                for line in try lines.take(part) { try await take(line) }
            }
            return nil
        } catch let error as AdminError {
            throw error
        } catch {
            throw AdminError(kind(of: error), url: request.url)
        }
    }
}

/// Cuts what comes into lines, wherever its parts end.
private struct LineReader {
    private var rest = ByteBuffer()
    let sizeMaximum: Int

    init(sizeMaximum: Int) {
        self.sizeMaximum = sizeMaximum
    }

    mutating func take(_ part: ByteBuffer) throws(NIOTooManyBytesError) -> [String] {
        var lines: [String] = []
        var part = part
        rest.writeBuffer(&part)
        while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest.readString(length: end - rest.readerIndex) ?? "")
            rest.moveReaderIndex(forwardBy: 1)
        }
        guard rest.readableBytes <= sizeMaximum else {
            throw NIOTooManyBytesError(maxBytes: sizeMaximum)
        }
        rest.discardReadBytes()
        return lines
    }
}
