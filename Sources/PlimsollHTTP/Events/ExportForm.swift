import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollJSON
import PlimsollProjection

/// A form in which the record is written out, whole, as a stream.
///
/// Its last line says that nothing is missing: how many events there were, the last one's
/// position, how far the record went, and the newest checkpoint over it. Whoever does not find it
/// has not got everything.
struct ExportForm: Sendable {
    let mediaType: MediaType
    /// What stands before the first event.
    let head: [UInt8]
    let event: @Sendable (EventAnswer) -> [UInt8]
    let end: @Sendable (ExportEnd) -> [UInt8]

    /// One event a line, and `{"end": …}`.
    static let lines = ExportForm(
        mediaType: .ndjson,
        head: [],
        event: { $0.bytes + [UInt8(ascii: "\n")] },
        end: {
            let line: JSONObject = ["end": .object($0.json)]
            return line.canonicalBytes() + [UInt8(ascii: "\n")]
        }
    )

    /// Reads and writes part by part, no faster than the reader reads.
    func body(of reading: RecordReading) -> ResponseBody {
        ResponseBody { writer in
            var reading = reading
            var bytes = ByteBuffer(bytes: head)
            while true {
                let part = try await reading.next()
                if part.isEmpty { break }
                for found in part { bytes.writeBytes(event(EventAnswer(found))) }
                try await writer.write(bytes)
                bytes.clear()
            }
            let end = ExportEnd(
                count: reading.count,
                last: reading.last,
                position: reading.end,
                checkpoint: try await reading.checkpoint()
            )
            bytes.writeBytes(self.end(end))
            try await writer.write(bytes)
            try await writer.finish(nil)
        }
    }
}
