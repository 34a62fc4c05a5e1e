import PlimsollAPI
import PlimsollPublishing
import PlimsollSystem

extension CheckpointPlace {
    /// Takes what an operator named: a web address, or else a file.
    init(_ place: String) {
        guard place.hasPrefix("http://") || place.hasPrefix("https://") else {
            self.init(in: Path(place))
            return
        }
        self.init(at: place) { url in
            let limits = Transport.Limits(
                answerTimeout: fetchTimeout,
                bytesMaximum: Self.sizeMaximum
            )
            let answer = try await Transport.with(limits) { transport in
                try await transport.send(WebRequest(.get, url))
            }
            guard answer.status == 200 else { throw NotShown(status: answer.status) }
            return answer.body
        }
    }
}

/// Nothing is written meanwhile, so nobody waits longer than for a slow network.
private let fetchTimeout = Duration.seconds(10)

private struct NotShown: Error, CustomStringConvertible {
    let status: Int

    var description: String { "it answered \(status), and 200 is needed." }
}
