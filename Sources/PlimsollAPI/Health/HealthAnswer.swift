package import PlimsollJSON

/// How the service does, in one word: what `/healthz` and `/readyz` answer.
package struct HealthAnswer: Answer {
    package let status: String

    /// The process lives.
    package static let alive = HealthAnswer(status: "alive")
    /// Writes can be made and read models are up to date.
    package static let ready = HealthAnswer(status: "ready")

    private init(status: String) { self.status = status }

    package init?(_ reader: inout ObjectReader) {
        guard let status = reader.string("status") else { return nil }
        self.init(status: status)
    }

    package var json: JSONObject { ["status": .string(status)] }
}
