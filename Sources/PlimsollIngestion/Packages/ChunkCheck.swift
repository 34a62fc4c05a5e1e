import Crypto
import PlimsollDocuments
package import PlimsollMarketplace

/// Holds the bytes of a file against the digests of its pieces, as they come.
package struct ChunkCheck: Sendable {
    /// How many bytes were taken, all of them of pieces that are right or not at their end yet.
    package private(set) var size: Int64 = 0
    private let total: Int64
    private let chunks: ChunkDigests
    private var hash = SHA256()

    package init(_ asset: PackageAsset) {
        (total, chunks) = (asset.size, asset.chunks)
    }

    /// What is wrong with the bytes.
    package enum Fault: Error, Equatable {
        /// With the place at which the piece begins.
        case wrongDigest(chunk: Int, start: Int64)
        case tooLong
    }

    package var isWhole: Bool { size == total }

    /// The piece that the next byte belongs to.
    private var chunk: Int64 { size / chunks.chunkSize }

    /// Takes the next bytes; after a fault it stands at the beginning of the piece that is wrong.
    package mutating func take(_ bytes: [UInt8]) throws(Fault) {
        guard Int64(bytes.count) <= total - size else { throw .tooLong }
        var rest = bytes[...]
        while !rest.isEmpty {
            let (chunk, start) = (chunk, chunk * chunks.chunkSize)
            // Sizes of pieces are Apple's, and may lie beyond the end of any file.
            let end = chunks.chunkSize > total - start ? total : start + chunks.chunkSize
            let part = rest.prefix(Int(min(Int64(rest.count), end - size)))
            hash.update(data: Array(part))
            size += Int64(part.count)
            rest = rest.dropFirst(part.count)
            guard size == end else { continue }
            let digest = ContentDigest(hash.finalize())
            hash = SHA256()
            guard digest.hex == chunks.digests[Int(chunk)] else {
                size = start
                throw .wrongDigest(chunk: Int(chunk), start: start)
            }
        }
    }

    /// Goes back to the beginning of the piece that is not whole, since nobody knows what follows.
    package mutating func returnToStart() {
        size = chunk * chunks.chunkSize
        hash = SHA256()
    }
}
