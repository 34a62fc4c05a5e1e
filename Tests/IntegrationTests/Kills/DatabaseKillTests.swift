import Foundation
import Glibc
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// However the database dies or goes out of reach, the service goes on and loses nothing.
    @Suite(.timeLimit(.minutes(60))) struct DatabaseKillTests {
        // The system kills a server process when memory runs out; PostgreSQL then starts anew.
        @Test func `a private database that is killed under load loses nothing`() async throws {
            try await ServerFixture.with { fixture in
                let trial = try await Trial(fixture, workers: 4)
                var moments = RandomMoments()
                try await fixture.run { server in
                    for number in 1...Trial.deaths {
                        let moment = moments.milliseconds(100...1000)
                        try await trial.work(at: server, until: moment) {
                            let postmaster = try fixture.postmaster()
                            try await eventually("one that was there a moment ago is killed") {
                                let child = try children(of: postmaster)
                                    .randomElement(using: &moments)
                                let victim = number.isMultiple(of: 3) ? child : postmaster
                                return Glibc.kill(try #require(victim), SIGKILL) == 0 ? () : nil
                            }
                        }
                        try await trial.expectWhole(at: server, after: number)
                    }
                    try await trial.conclude(at: server, "private-database", moments)
                }
            }
        }

        @Test func `a database of one's own that is killed under load loses nothing`() async throws
        {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    let trial = try await Trial(fixture, workers: 4)
                    var moments = RandomMoments()
                    try await fixture.run { server in
                        for number in 1...Trial.deaths {
                            let moment = moments.milliseconds(100...1000)
                            try await trial.work(at: server, until: moment) {
                                try await database.signal("KILL")
                                try await database.startAgain()
                            }
                            try await trial.expectWhole(at: server, after: number)
                        }
                        try await trial.conclude(at: server, "own-database", moments)
                    }
                }
            }
        }

        // Goal: an append whose answer is lost on the way is settled, and done once.
        // Method: the connection breaks in the middle of the n-th piece of the talk.
        @Test func `a network that breaks in the middle of an append loses nothing`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await Wire.with(to: database.socket) { wire in
                    try await ServerFixture.with { fixture in
                        let fixture = fixture.on(wire.database)
                        let trial = try await Trial(fixture, workers: 4)
                        var moments = RandomMoments()
                        try await fixture.run { server in
                            for number in 1...Trial.deaths {
                                wire.cut(atPiece: Int.random(in: 1...60, using: &moments))
                                try await trial.work(at: server, until: .milliseconds(300)) {
                                    let isCut = try await eventually("the cut") {
                                        wire.isCut ? true : nil
                                    }
                                    #expect(isCut)
                                }
                                try await trial.expectWhole(at: server, after: number)
                            }
                            try await trial.conclude(at: server, "network", moments)
                        }
                    }
                }
            }
        }
    }
}

extension ScratchDatabaseServer {
    var socket: Wire.Target { .socket("\(folder)/.s.PGSQL.5432") }

    /// Starts a server that was killed; what it left goes a moment later.
    func startAgain() async throws {
        try await eventually("the database starts again") {
            do {
                try await start()
                return true
            } catch is ProgramFailure {
                return nil
            }
        }
    }
}

extension Wire {
    /// How a service reaches a scratch database at the far end.
    var database: String { "host=127.0.0.1 port=\(port) user=postgres sslmode=disable" }
}

extension ServerFixture {
    /// The process that the private PostgreSQL began with.
    func postmaster() throws -> Int32 {
        let file = data.appending(path: "postgres/data/postmaster.pid")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
    }
}

private func children(of process: Int32) throws -> [Int32] {
    let file = "/proc/\(process)/task/\(process)/children"
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: " ")
        .compactMap { Int32($0) }
}
