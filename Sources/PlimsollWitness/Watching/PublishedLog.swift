package import PlimsollAPI
import PlimsollLog

/// A transparency log as it is published under an address, in the form of c2sp.org/tlog-tiles.
package struct PublishedLog: Sendable {
    package let address: ServiceAddress
    private let token: String?
    private let transport: Transport

    /// A token is for logs that only auditors see.
    package init(at address: ServiceAddress, token: String?, over transport: Transport) {
        self.address = address
        self.token = token
        self.transport = transport
    }

    func checkpoint() async throws -> [UInt8] {
        guard let note = try await bytes("checkpoint") else {
            throw LogUnreadable(url: address.url("/checkpoint"), answer: "404; there is none yet")
        }
        return note
    }

    /// The tiles that a proof over a tree of a size is made from.
    func tiles(of subtrees: [PerfectSubtree], size: Int) async throws -> TileHashes {
        var tiles = TileHashes()
        for address in Set(subtrees.map { TileAddress(with: $0, in: size) }) {
            tiles.insert(try await tile(address))
        }
        return tiles
    }

    /// The tile, or the full one that has replaced it.
    private func tile(_ address: TileAddress) async throws -> HashTile {
        for stored in address.isFull ? [address] : [address, address.full] {
            guard let bytes = try await bytes(stored.path) else { continue }
            guard let tile = HashTile(stored, bytes: bytes) else {
                throw LogUnreadable(
                    url: self.address.url("/\(stored.path)"),
                    answer: "\(bytes.count) bytes, which are no tile"
                )
            }
            return tile
        }
        throw LogUnreadable(url: self.address.url("/\(address.path)"), answer: "404")
    }

    private func bytes(_ path: String) async throws -> [UInt8]? {
        let url = address.url("/\(path)")
        let headers = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let answer = try await transport.send(WebRequest(.get, url, headers: headers))
        switch answer.status {
        case 200: return answer.body
        case 404: return nil
        default: throw LogUnreadable(url: url, answer: "\(answer.status)")
        }
    }
}

/// The log could not be read, which says nothing about what is in it.
package struct LogUnreadable: Error, Equatable, Sendable, CustomStringConvertible {
    let url: String
    let answer: String

    package var description: String { "\(url) answered \(answer); 200 is needed." }
}
