import Foundation
import PlimsollDomain
import PlimsollJSON

/// Takes one change after the other down the road from its approval to the phones.
final class Traveller {
    private let team: Team
    private let app: AppSlug
    private let languages: [String]
    private let path: String
    private let edge: HTTPConnection
    private var tag: String
    private var number = 0

    private static let patience = Duration.seconds(10)

    init(_ service: RunningService, _ team: Team, app: AppSlug) throws {
        (self.team, self.app) = (team, app)
        let settings = try team.admin.send("GET", "/v1/apps/\(app)")
        languages = try known(settings["languages"]?.array, "languages").compactMap(\.string)
        path = "/distribution/\(app)/availability-ios"
        edge = try HTTPConnection(port: service.edge)
        tag = ""
        // A service that has just started may have much to publish.
        _ = try duration(until: { _ in true }) {}
    }

    /// How long it took from the last approval until a phone was answered with new signed bytes.
    func travel() throws -> Duration {
        let change = try propose()
        return try duration(until: { says($0) }) { try team.approve(change) }
    }

    /// Raises the minimum, and answers the number of the change.
    func raise() throws -> String {
        let change = try propose()
        _ = try duration(until: { says($0) }) { try team.approve(change) }
        return try known(change["id"]?.string, "a change")
    }

    /// How long it took from sending a rollback until a phone was answered with the former content.
    func rollBack(before change: String) throws -> Duration {
        try duration(until: { !says($0) }) {
            _ = try team.responder.send(
                "POST",
                "/v1/apps/\(app)/rollback",
                ["to": ["beforeChange": .string(change)], "reason": "It keeps people out."]
            )
        }
    }

    private func duration(
        until isArrived: (HTTPAnswer) -> Bool,
        of action: () throws -> Void
    ) throws -> Duration {
        let start = ContinuousClock.now
        try action()
        while start.duration(to: .now) < Self.patience {
            let answer = try edge.send("GET", path, fields: [("If-None-Match", tag)])
            if answer.status == 200 {
                let duration = start.duration(to: .now)
                tag = try known(answer.fields["etag"], "an entity tag")
                _ = try known(answer.fields["x-amz-meta-signature"], "a signature")
                // What was published before may come late.
                if isArrived(answer) { return duration }
            }
            // Asking all the time would take a processor from those who work.
            Thread.sleep(forTimeInterval: 0.000_2)
        }
        throw Failure(sentence: "what was decided on \(app) did not come to the edge")
    }

    private func says(_ answer: HTTPAnswer) -> Bool {
        String(decoding: answer.body, as: UTF8.self).contains(words(languages[0]))
    }

    private func propose() throws -> JSONValue {
        // Ahead of whatever a former run proposed.
        number = max(number, Int(try known(try team.position(of: app).integer, "a position"))) + 1
        let version: JSONValue = [
            "op": "setValue", "platform": "ios", "threshold": "minimumApp",
            "value": .string("3.\(number).0"),
        ]
        let texts = languages.map { language -> JSONValue in
            [
                "op": "setText", "platform": "ios", "threshold": "minimumApp",
                "part": "description", "language": .string(language),
                "text": .string(words(language)),
            ]
        }
        return try team.propose(
            "Raise the line to 3.\(number).0",
            [version] + texts,
            to: app
        )
    }

    private func words(_ language: String) -> String {
        "Versions before 3.\(number).0 can lose a booking (\(language), \(number))."
    }
}
