import Foundation
import Glibc
import PlimsollTestSupport
import Subprocess
import Testing

extension ServiceTests {
    /// However the service dies, what was acknowledged is there once, and nothing else.
    @Suite(.timeLimit(.minutes(60))) struct KillTests {
        // Goal: no step of a publication leaves something half done behind.
        // Method: the service kills itself at the n-th step it takes after its start.
        @Test func `a service that dies at a step of a publication loses nothing`() async throws {
            try await ServerFixture.with { fixture in
                let trial = try await Trial(fixture, workers: 1)
                for number in 1...Trial.deaths {
                    let point = ["PLIMSOLL_FAULT_POINT": "*:\(1 + (number - 1) * 3 % 40)"]
                    let end = try await fixture.run(.started, environment: point) { server in
                        try await trial.work(at: server, until: .seconds(20))
                    }
                    #expect(end == .signaled(SIGKILL), "\(point)")
                    try await trial.expectWhole(after: number)
                }
                try await trial.conclude("steps", RandomMoments())
            }
        }

        // Goal: nor does any step of an append, before it is durable or between that and the
        // answer. Method: the service is killed while the n-th piece of its talk with the database
        // is on the wire, which arrives half.
        @Test func `a service that dies in the middle of an append loses nothing`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await Wire.with(to: database.socket) { wire in
                    try await ServerFixture.with { fixture in
                        let fixture = fixture.on(wire.database)
                        let trial = try await Trial(fixture, workers: 2)
                        var moments = RandomMoments()
                        for number in 1...Trial.deaths {
                            let piece = Int.random(in: 1...60, using: &moments)
                            let end = try await fixture.run { server in
                                wire.cut(atPiece: piece) { server.send(SIGKILL) }
                                try await trial.work(at: server, until: .seconds(20))
                            }
                            #expect(end == .signaled(SIGKILL), "at piece \(piece)")
                            try await trial.expectWhole(after: number)
                        }
                        try await trial.conclude("appends", moments)
                    }
                }
            }
        }

        @Test func `a service that is killed at any moment loses nothing`() async throws {
            try await ServerFixture.with { fixture in
                let trial = try await Trial(fixture, workers: 4)
                var moments = RandomMoments()
                for number in 1...Trial.deaths {
                    let moment = moments.milliseconds(50...1500)
                    let end = try await fixture.run { server in
                        try await trial.work(at: server, until: moment) { server.send(SIGKILL) }
                    }
                    #expect(end == .signaled(SIGKILL))
                    try await trial.expectWhole(after: number)
                }
                try await trial.conclude("moments", moments)
            }
        }
    }
}
