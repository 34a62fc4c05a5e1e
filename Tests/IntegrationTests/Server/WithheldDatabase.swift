import Foundation

/// The folder of a private PostgreSQL, with a file in its place: no server can start there.
struct WithheldDatabase {
    let postmaster: Int32
    private let cluster: URL
    private let aside: URL

    init(_ fixture: ServerFixture) throws {
        postmaster = try fixture.postmaster()
        cluster = fixture.data.appending(path: "postgres/data")
        aside = fixture.data.appending(path: "postgres/aside")
        try FileManager.default.moveItem(at: cluster, to: aside)
        try Data("no cluster".utf8).write(to: cluster)
    }

    func giveBack() throws {
        try FileManager.default.removeItem(at: cluster)
        try FileManager.default.moveItem(at: aside, to: cluster)
    }
}
