import Foundation
import PlimsollMarketplace
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// A folder of packages, laid out as the ingestion leaves it.
struct PackageFixture {
    let folder: Path

    static let place = "878123456789/1"
    static let path = PackageSettings.usualPath + place

    var settings: PackageSettings {
        get throws { try #require(PackageSettings(folder: folder.string)) }
    }

    static func with<Result>(
        _ sample: SampleDistribution = SampleDistribution(),
        _ body: (PackageFixture) async throws -> Result
    ) async throws -> Result {
        let name = "plimsoll-packages-" + UUID().uuidString.lowercased()
        let fixture = PackageFixture(folder: Path(NSTemporaryDirectory() + name))
        try fixture.folder.createFolder()
        defer { try? fixture.folder.removeTree() }
        try fixture.lay(sample)
        return try await body(fixture)
    }

    func lay(_ sample: SampleDistribution, at place: String = Self.place) throws {
        try write(sample.manifest, at: "\(place)/manifest.json")
        try write(sample.signature, at: "\(place)/signature")
        for (path, bytes) in sample.files { try write(bytes, at: "\(place)/\(path)") }
    }

    func file(_ path: String) -> Path {
        path.split(separator: "/").reduce(folder) { $0 / String($1) }
    }

    func write(_ bytes: [UInt8], at path: String) throws {
        try file(path).parent.createFolder()
        try file(path).writeDurably(bytes)
    }

    func get(_ path: String, _ method: String = "GET", fields: [String] = []) -> String {
        EdgeFixture.get(Self.path + path, fields: fields).replacing("GET", with: method)
    }
}
