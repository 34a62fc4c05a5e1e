package import PlimsollSystem
import PlimsollLog

/// Where somebody else keeps a checkpoint that the log has to agree with.
package struct CheckpointPlace: Sendable {
    /// As the operator wrote it.
    package let name: String
    package let read: @Sendable () async throws -> [UInt8]

    package static let sizeMaximum = SignedNote.byteCountMaximum

    /// A file, such as a copy on another machine.
    package init(in file: Path) {
        name = file.description
        read = {
            do throws(FileError) {
                return try file.read(sizeMaximum: Self.sizeMaximum)
            } catch {
                throw OutsideCheckpointUnusable(place: file.description, reason: "\(error)")
            }
        }
    }

    /// An address, such as that of another edge.
    package init(
        at url: String,
        fetch: @escaping @Sendable (_ url: String) async throws -> [UInt8]
    ) {
        name = url
        read = {
            do {
                return try await fetch(url)
            } catch {
                throw OutsideCheckpointAway(place: url, reason: "\(error)")
            }
        }
    }
}

/// A checkpoint that an operator named cannot be compared with.
package struct OutsideCheckpointUnusable: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: String
    package let reason: String

    package var description: String {
        "The checkpoint \(place) cannot be compared with the log: \(reason). Name another one with"
            + " --outside-checkpoint, or leave the option out."
    }
}

/// A checkpoint that an operator named cannot be fetched now; whoever waits may have it later.
package struct OutsideCheckpointAway: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: String
    package let reason: String

    package var description: String {
        "The checkpoint \(place) cannot be fetched, and nothing is written before it was compared"
            + " with the log: \(reason) It is tried again; to go on without it, start without that"
            + " --outside-checkpoint."
    }
}
